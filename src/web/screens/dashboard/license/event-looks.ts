import {
  Ban,
  CircleCheck,
  CircleX,
  Clock,
  Gift,
  KeyRound,
  type LucideIcon,
  Pause,
  Play,
  RotateCcw,
  ShoppingBag,
} from "lucide-react";
import type { LicenceEvent } from "@/contract/licence-events";

/** Each event's icon and tone. */
export const eventLooks: Record<LicenceEvent, { icon: LucideIcon; colour: string }> = {
  issued: { icon: Gift, colour: "text-link" },
  purchased: { icon: ShoppingBag, colour: "text-link" },
  redeemed: { icon: KeyRound, colour: "text-success" },
  partly_refunded: { icon: RotateCcw, colour: "text-muted-foreground" },
  refunded: { icon: RotateCcw, colour: "text-warning" },
  refund_failed: { icon: CircleCheck, colour: "text-success" },
  disputed: { icon: Ban, colour: "text-dispute-text" },
  dispute_won: { icon: CircleCheck, colour: "text-success" },
  dispute_lost: { icon: CircleX, colour: "text-destructive" },
  suspended: { icon: Pause, colour: "text-warning" },
  reinstated: { icon: Play, colour: "text-success" },
  revoked: { icon: CircleX, colour: "text-destructive" },
  expired: { icon: Clock, colour: "text-destructive" },
};
