import { Ban, CircleCheck, CircleX, Clock, KeyRound, type LucideIcon, Pause, RotateCcw } from "lucide-react";
import { licenceWords, ownWords } from "@/contract/vocabulary/state-words";
import { cn } from "../../lib/utils";
import { tones } from "../../ui/tones";
import type { AccountStatus } from "./account-status";

const icons: Record<AccountStatus["kind"], LucideIcon> = {
  active: CircleCheck,
  ending: Clock,
  disputed: Ban,
  suspended: Pause,
  refunded: RotateCcw,
  revoked: CircleX,
  expired: Clock,
  other_mode: CircleX,
  none: KeyRound,
};

/** The status of an account's licence as an icon. */
export function LicenceCircle({ kind }: { kind: AccountStatus["kind"] }) {
  const Icon = icons[kind];
  return (
    <span
      className={cn("grid size-10 shrink-0 place-content-center rounded-full border", tones[toneOf(kind)])}
    >
      <Icon aria-hidden="true" className="size-5" />
    </span>
  );
}

function toneOf(kind: AccountStatus["kind"]) {
  if (kind === "ending") return "warning";
  return kind === "none" ? "neutral" : ownWords(licenceWords[kind]).tone;
}
