import { money } from "@/contract/vocabulary/money";
import type { AuditDetails } from "@/contract/wire/audit-events";
import { withSpaces } from "../parts/format";

type Plain = string | number | boolean | null | undefined;

/** `: price from USD 1.50 to USD 2.00, days from 30 to none` */
export function offerChanged({ before, after }: Partial<AuditDetails<"offer.changed">>): string {
  if (!before || !after) return "";
  const changes = Object.entries(after).flatMap(([field, is]) => {
    const was = before[field as keyof typeof before] ?? null;
    if (was === is || field === "currency") return [];
    const text = (value: Plain, { currency }: typeof after) =>
      field === "amount" && typeof value === "number" ? money(value, currency) : String(value ?? "none");
    return [
      `${termNames[field] ?? withSpaces(field).toLowerCase()} from ${text(was, before)} to ${text(is, after)}`,
    ];
  });
  return changes.length === 0 ? "" : `: ${changes.join(", ")}`;
}

const termNames: Readonly<Record<string, string>> = {
  amount: "price",
  devices: "seats",
  trialDays: "trial days",
};

/** `: role from none to 1234, features from export to export, api` */
export function levelChanged({ before, after }: Partial<AuditDetails<"level.changed">>): string {
  if (!before || !after) return "";
  const changes = Object.entries(after).flatMap(([field, is]) => {
    const [was, now] = [termText(before[field as keyof typeof before]), termText(is)];
    return was === now ? [] : [`${levelTermNames[field] ?? field} from ${was} to ${now}`];
  });
  return changes.length === 0 ? "" : `: ${changes.join("; ")}`;
}

const levelTermNames: Readonly<Record<string, string>> = {
  includesBefore: "includes the one before",
  roleId: "role",
};

const termText = (value: Plain | string[]) => String(value ?? "").replaceAll(",", ", ") || "none";
