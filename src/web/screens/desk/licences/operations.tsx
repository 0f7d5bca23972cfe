import {
  Ban,
  CalendarPlus,
  CirclePause,
  CirclePlay,
  Eye,
  Layers,
  Monitor,
  RefreshCcwDot,
} from "lucide-react";
import {
  changeLicenceDevices,
  changeLicenceLevel,
  extendLicence,
  reinstateLicence,
  revealLicenceKey,
  revokeLicence,
  rotateLicenceKey,
  suspendLicence,
} from "@/contract/operations/licences";
import { maxAddedDaysBySupport, maxAddedDays } from "@/contract/vocabulary/bounds";
import type { LicenceRow } from "@/contract/wire/desk/rows";
import type { DeskMe } from "@/contract/wire/desk/staff";
import { CopyTextButton } from "../../../parts/copy-text-button";
import { wholeNumber } from "../operation/checks";
import { deskOperation } from "../operation/operation";
import type { OfferedOperations } from "../operation/use-allowed";
import { counted } from "../parts/format";

/** What this member of staff may do to a licence. */
export function licenceOperations(
  me: DeskMe,
  licence: LicenceRow,
  /** Without them, its level can't be changed. */
  levels: Record<string, string> | null = null,
): OfferedOperations {
  const { id, key, status, days, devices, level: now } = licence;
  const holder = licence.customer?.username;
  const of = holder ? ` of ${holder}` : "";
  const isFallen = status === "revoked" || status === "refunded";
  const isCapped = me.role === "support";

  const suspend = deskOperation(suspendLicence, {
    id,
    name: "Suspend",
    icon: CirclePause,
    consequence: () =>
      `Suspends ${key}${of}. The application stops, and the role is removed unless another license remains. The license's time keeps running.`,
    done: () => "License suspended",
  });
  const reinstate = deskOperation(reinstateLicence, {
    id,
    name: "Reinstate",
    icon: CirclePlay,
    consequence: () => `Reinstates ${key}${of}, as if it had never been suspended.`,
    done: () => "License reinstated",
  });
  const extend = deskOperation(extendLicence, {
    id,
    name: "Extend",
    icon: CalendarPlus,
    consequence: ({ days: added = "" }) =>
      `Adds ${added === "" ? "days" : counted(Number(added) || 0, "day")} to ${key}${of}.${isCapped ? ` Support can add up to ${maxAddedDaysBySupport} days in any 30 days.` : ""}`,
    fields: {
      days: { initial: "30", check: wholeNumber(1, isCapped ? maxAddedDaysBySupport : maxAddedDays) },
    },
    done: () => "License extended",
  });
  const changeDevices = deskOperation(changeLicenceDevices, {
    id,
    name: "Change computers",
    icon: Monitor,
    consequence: ({ number = "" }) =>
      number === "" || Number(number) === devices
        ? `${key}${of} can be used on ${counted(devices, "computer")} at a time.`
        : `Lets ${key}${of} be used on ${counted(Number(number) || 0, "computer")} at a time instead of ${devices}.${Number(number) < devices ? " The computers seen last keep their seats." : ""}`,
    fields: { number: { initial: String(devices) } },
    done: () => "Number of computers changed",
  });
  const changeLevel = deskOperation(changeLicenceLevel, {
    id,
    name: "Change level",
    icon: Layers,
    consequence: ({ level = "" }) =>
      level === now.id
        ? `${key}${of} has the level ${now.name}.`
        : `Gives ${key}${of} the level ${levels?.[level] ?? "that it was sold as"}, with its features and its role. Its key, its computers and its time stay. Its owner gets an email.`,
    form: (field) => [
      field("level", {
        initial: now.id,
        choices: { ...levels, [now.id]: now.name, "": "As it was sold" },
      }),
    ],
    sent: ({ level = "" }) => (level === "" ? { offer: true } : { level }),
    done: () => "Level changed",
  });
  const showKey = deskOperation(revealLicenceKey, {
    id,
    name: "Show whole key",
    icon: Eye,
    consequence: () => `Shows the whole key of ${key}. The audit log records that you saw it.`,
    done: () => "Key shown",
    result: (answer) => <WholeKey text={answer.key} />,
  });
  const rotate = deskOperation(rotateLicenceKey, {
    id,
    name: "Change key",
    icon: RefreshCcwDot,
    grave: true,
    consequence: () => `Gives this license a new key. ${key} stops working everywhere.`,
    done: () => "Key changed",
  });
  const revoke = deskOperation(revokeLicence, {
    id,
    name: "Revoke",
    icon: Ban,
    grave: true,
    consequence: () =>
      `Ends ${key}${of} for good. The application stops, and the role is removed unless another license remains. Nothing is refunded.`,
    done: () => "License revoked",
  });
  return [
    ["active", "unredeemed", "expired"].includes(status) && suspend,
    status === "suspended" && reinstate,
    days !== null && !isFallen && extend,
    !isFallen && changeDevices,
    !isFallen && levels !== null && changeLevel,
    showKey,
    !isFallen && rotate,
    !isFallen && revoke,
  ];
}

function WholeKey({ text }: { text: string }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-md border bg-well p-3">
      <code className="font-mono text-sm wrap-anywhere">{text}</code>
      <CopyTextButton text={text} label="Copy" variant="outline" size="sm" />
    </div>
  );
}
