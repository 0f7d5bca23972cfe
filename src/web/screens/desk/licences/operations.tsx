import { Ban, CalendarPlus, CirclePause, CirclePlay, Eye, Monitor, RefreshCcwDot } from "lucide-react";
import type { LicenceDetails } from "@/contract/wire/desk/details";
import { mostDevices } from "@/contract/vocabulary/devices";
import { writeDesk } from "../../../api/desk/call";
import type { StaffRole } from "../../../api/desk/session";
import { CopyTextButton } from "../../../parts/copy-text-button";
import { counted } from "../parts/format";
import type { Operation, OperationField } from "../operation/operation";
import { allowed } from "../operation/rights";
import { mostAddedBySupport, mostAddedDays } from "@/contract/vocabulary/bounds";

/** What this role may do to a licence. */
export function licenceOperations(role: StaffRole, licence: LicenceDetails): Operation[] {
  const { id, key, status, days } = licence;
  const holder = licence.customer?.username;
  const of = holder ? ` of ${holder}` : "";
  const send = <Answer,>(verb: string, body: object) => writeDesk<Answer>(`licences/${id}/${verb}`, body);
  const isFallen = status === "revoked" || status === "refunded";

  const suspend: Operation = {
    name: "Suspend",
    icon: CirclePause,
    consequence: () =>
      `Pauses ${key}${of}: the application stops, and the role goes unless another license keeps it. Its time runs on.`,
    run: (_, reason) => send("suspend", { reason }),
    done: () => "The license is suspended",
  };
  const reinstate: Operation = {
    name: "Reinstate",
    icon: CirclePlay,
    consequence: () => `Lets ${key}${of} work again, as if it had never been suspended.`,
    run: (_, reason) => send("reinstate", { reason }),
    done: () => "The license works again",
  };
  const extend: Operation = {
    name: "Extend",
    icon: CalendarPlus,
    consequence: ({ days: added = "" }) =>
      `Adds ${added === "" ? "days" : counted(Number(added) || 0, "day")} to ${key}${of}.${role === "support" ? " Support adds ${mostAddedBySupport} days at most in any 30 days." : ""}`,
    fields: [numberField("days", "Days", "30", role === "support" ? mostAddedBySupport : mostAddedDays)],
    run: ({ days: added }, reason) => send("extend", { days: Number(added), reason }),
    done: () => "The license runs longer",
  };
  const changeDevices: Operation = {
    name: "Change computers",
    icon: Monitor,
    consequence: ({ number = "" }) =>
      `Lets ${key}${of} run on ${number === "" ? "another number of computers" : counted(Number(number) || 0, "computer")} at a time instead of ${licence.devices}. With fewer, those seen last keep their place.`,
    fields: [numberField("number", "Computers", String(licence.devices), mostDevices)],
    run: ({ number }, reason) => send("devices", { number: Number(number), reason }),
    done: () => "The license is for another number of computers",
  };
  const showKey: Operation<{ key: string }> = {
    name: "Show whole key",
    icon: Eye,
    consequence: () => `Shows the whole key of ${key}. The log says that you saw it.`,
    run: (_, reason) => send<{ key: string }>("key", { reason }),
    done: () => "The key is shown",
    result: (answer) => <WholeKey text={answer.key} />,
  };
  const rotate: Operation = {
    name: "Change key",
    icon: RefreshCcwDot,
    grave: true,
    consequence: () => `Gives this license another key: ${key} no longer works anywhere.`,
    run: (_, reason) => send("rotate", { reason }),
    done: () => "The license has another key",
  };
  const revoke: Operation = {
    name: "Revoke",
    icon: Ban,
    grave: true,
    consequence: () =>
      `Ends ${key}${of} for good: the application stops, and the role goes unless another license keeps it. Nothing is refunded.`,
    run: (_, reason) => send("revoke", { reason }),
    done: () => "The license is revoked",
  };
  return allowed<Operation>(role, [
    ["suspend", ["active", "unredeemed", "expired"].includes(status) ? suspend : null],
    ["reinstate", status === "suspended" ? reinstate : null],
    ["extend", days !== null && !isFallen ? extend : null],
    ["devices", isFallen ? null : changeDevices],
    ["key", showKey],
    ["rotate", isFallen ? null : rotate],
    ["revoke", isFallen ? null : revoke],
  ]);
}

const numberField = (name: string, label: string, initial: string, most: number): OperationField => ({
  name,
  label,
  type: "number",
  initial,
  check: (text) =>
    /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= most
      ? undefined
      : `Write a whole number from 1 to ${most.toLocaleString("en-US")}`,
});

function WholeKey({ text }: { text: string }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-md border bg-well p-3">
      <code className="font-mono text-sm wrap-anywhere">{text}</code>
      <CopyTextButton text={text} label="Copy" variant="outline" size="sm" />
    </div>
  );
}
