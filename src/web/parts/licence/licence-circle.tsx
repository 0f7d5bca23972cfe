import {
  Ban,
  CircleCheck,
  CircleX,
  Clock,
  CreditCard,
  Hourglass,
  KeyRound,
  type LucideIcon,
  Pause,
  RotateCcw,
} from "lucide-react";
import {
  licenceWords,
  ownSubscriptionWords,
  ownWords,
  type StateWords,
} from "@/contract/vocabulary/state-words";
import { cn } from "../../lib/utils";
import { tones } from "../../ui/tones";
import type { AccountStatus } from "./account-status";

const looks: Record<AccountStatus["state"], [LucideIcon, StateWords]> = {
  none: [KeyRound, { word: "None", tone: "neutral" }],
  unused: [KeyRound, licenceWords.unredeemed],
  ready: [CircleCheck, licenceWords.active],
  running: [CircleCheck, licenceWords.active],
  trial: [CircleCheck, ownSubscriptionWords.trialing],
  ending: [Clock, ownSubscriptionWords.ending],
  past_due: [CreditCard, ownSubscriptionWords.past_due],
  paused: [Pause, ownSubscriptionWords.paused],
  pending: [Hourglass, ownSubscriptionWords.pending],
  disputed: [Ban, licenceWords.disputed],
  suspended: [Pause, licenceWords.suspended],
  refunded: [RotateCcw, licenceWords.refunded],
  revoked: [CircleX, licenceWords.revoked],
  expired: [Clock, licenceWords.expired],
  other_mode: [CircleX, licenceWords.other_mode],
};

/** The state of an account as an icon. */
export function LicenceCircle({ state }: { state: AccountStatus["state"] }) {
  const [Icon, words] = looks[state];
  return (
    <span
      className={cn(
        "grid size-10 shrink-0 place-content-center rounded-full border",
        tones[ownWords(words).tone],
      )}
    >
      <Icon aria-hidden="true" className="size-5" />
    </span>
  );
}
