import { expect, test } from "bun:test";
import { disputeReason, disputeWords } from "@/contract/vocabulary/dispute-words";
import { disputeStatuses } from "@/domain/payments/port/disputes";

test("no status of a dispute and no reason is shown as Stripe writes it", () => {
  for (const status of [...disputeStatuses, "charge_refunded"])
    expect(disputeWords(status).word).not.toMatch(/_|^[a-z]/);
  for (const reason of ["fraudulent", "product_unacceptable", "a_new_reason", null])
    expect(disputeReason(reason)).toMatch(/^The [^_]+\.$/);
  expect(disputeReason("a_new_reason")).toBe("The bank's reason is “A new reason”.");
});
