import { Ban, CircleCheck, CircleX, Hourglass, type LucideIcon, RotateCcw } from "lucide-react";
import type { Payment } from "@/contract/payments";
import { texts } from "@/contract/texts";
import type { BadgeVariant } from "../../../ui/badge";

type Status = Payment["status"];

/** Each status' colour and picture. */
export const looks: Record<Status, { variant: BadgeVariant; icon: LucideIcon }> = {
  succeeded: { variant: "success", icon: CircleCheck },
  failed: { variant: "destructive", icon: CircleX },
  expired: { variant: "destructive", icon: CircleX },
  processing: { variant: "warning", icon: Hourglass },
  disputed: { variant: "dispute", icon: Ban },
  refunded: { variant: "secondary", icon: RotateCcw },
};

/** `requires_action` → `Requires action`. */
export function statusText(status: string) {
  const words = status.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The end of an id tells payments apart; they begin alike. */
export function shortId(id: string) {
  return id.length > 13 ? `…${id.slice(-12)}` : id;
}

/** What the status' tooltip says; null where there is nothing to say. */
export function reasonOf({ status, failure_reason }: Payment) {
  return status === "succeeded" ? texts.paymentSucceeded : failure_reason;
}

/** The provider's own ids of methods say nothing to a person. */
export function methodText(method: string | null) {
  return !method || method.startsWith("pm_") ? "Unknown" : statusText(method);
}
