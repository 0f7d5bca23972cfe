import { Ban, CircleCheck, CircleX, Hourglass, type LucideIcon, RotateCcw } from "lucide-react";
import type { Payment } from "@/contract/wire/payments";
import { texts } from "@/contract/vocabulary/texts";
import type { BadgeVariant } from "../../../ui/badge";

type Status = Payment["status"];

/** Each status's colour and icon. */
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

/** The status's tooltip, or null. */
export function reasonOf({ status, failure_reason }: Payment) {
  return status === "succeeded" ? texts.paymentSucceeded : failure_reason;
}

/** Hides the provider's method ids, which mean nothing to people. */
export function methodText({ payment_method: method, bill }: Pick<Payment, "payment_method" | "bill">) {
  if (!method && bill && bill.outside > 0) return "Paid elsewhere";
  return !method || method.startsWith("pm_") ? "Unknown" : statusText(method);
}
