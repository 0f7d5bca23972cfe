import { maxEvidenceText } from "../vocabulary/bounds";
import { amount, emailAddress, flag, text, word } from "../vocabulary/fields";
import { operation } from "./operation";

const onPayment = { on: "payment", answers: "payment" } as const;

export const refundPayment = operation({
  ...onPayment,
  name: "payment.refund",
  permission: "refund.propose",
  call: "POST payments/{id}/refund",
  command: "payments refund <payment>",
  reason: "required",
  fields: {
    amount: amount({
      label: "Amount",
      optional: true,
      about: "In minor units; everything that is left if left out",
    }),
    keep: flag({
      label: "Keep the license",
      about:
        "Of a subscription's payment, for owners: whether the license and the subscription continue, also after a full refund",
    }),
  },
  answers: "refundOutcome",
  means: "The refund is made",
  pending: {
    answers: "refundOutcome",
    means: "An owner has to decide, or Stripe could not be reached and is asked again",
  },
  summary: "Refund a payment, or propose it to the owners",
  description:
    "Owners refund, which needs a fresh code (`confirm`). Support proposes, up to the shop's daily cap (`refund_cap`) and with one open proposal for each payment.",
});

export const resendLostReceipts = operation({
  name: "payment.resend_lost",
  permission: "payment.resend_receipt",
  call: "POST payments/resend-lost",
  reason: "optional",
  answers: "resentReceipts",
  means: "How many are on their way",
  summary: "Send all receipts and gifts again that the mail server refused",
  description: "At most 100 at a time. Each is sent three times a day at most.",
});

export const resendReceipt = operation({
  ...onPayment,
  name: "payment.resend_receipt",
  roles: ["operator", "owner", "support"],
  call: "POST payments/{id}/resend",
  command: "payments resend <payment>",
  reason: "optional",
  summary: "Send a receipt with its keys again",
  description: "Three times a day at most. Redeemed keys are masked in it.",
});

export const correctPaymentEmail = operation({
  ...onPayment,
  name: "payment.propose_email",
  permission: "correction.propose",
  call: "POST payments/{id}/correct-email",
  command: "payments correct-email <payment> <email>",
  reason: "required",
  fields: {
    email: emailAddress({ label: "Right address" }),
    receiver: flag({
      label: "The receiver's",
      about: "Whether to replace the address of the gift's receiver instead of the buyer's",
    }),
  },
  means: "The address is replaced",
  pending: { answers: "correction", means: "An owner has to decide" },
  summary: "Replace an address that the buyer mistyped, or propose that to the owners",
  description:
    "Owners replace it, which needs a fresh code (`confirm`): what was bought is mailed there, an unredeemed key that had left for the wrong address as a new one. Support proposes, with one open proposal for each address of an order.",
});

export const syncPayment = operation({
  ...onPayment,
  name: "payment.sync",
  roles: ["operator", "owner"],
  call: "POST payments/{id}/sync",
  reason: "optional",
  summary: "Settle a payment by what Stripe reports now",
});

export const contestDispute = operation({
  ...onPayment,
  name: "payment.contest",
  roles: ["operator", "owner"],
  code: true,
  call: "POST payments/{id}/contest",
  reason: "required",
  fields: {
    text: text({
      label: "Your own words",
      hint: "Optional. The bank reads them with the evidence.",
      about: "Added to the evidence, in the owner's own words",
      most: maxEvidenceText,
      optional: true,
    }),
  },
  summary: "Send evidence for every dispute of a payment that is waiting for it",
  description:
    "Evidence is sent once and can't be changed. Refused with `dispute_answered` if no dispute is waiting for it.",
});

export const showEvidence = operation({
  ...onPayment,
  name: "payment.evidence",
  permission: "payment.contest",
  call: "POST payments/{id}/evidence",
  answers: "evidence",
  means: "The evidence as text, by Stripe's fields",
  summary: "Read the evidence that contesting a dispute would send",
  description: "It sends and changes nothing.",
});

export const acceptDispute = operation({
  ...onPayment,
  name: "payment.accept_dispute",
  roles: ["operator", "owner"],
  code: true,
  call: "POST payments/{id}/accept-dispute",
  command: "payments accept-dispute <payment>",
  reason: "required",
  summary: "Accept the dispute of a payment that is waiting for an answer",
  description:
    "Of several, the one with the next deadline, which the payment shows. It can't be undone: Stripe closes it as lost, and the licenses of the payment end. Refused with `dispute_inquiry` for an inquiry, which a refund settles, and with `dispute_answered` if no dispute is waiting for an answer.",
});

export const exportSales = operation({
  name: "sales.export",
  roles: ["operator", "owner"],
  code: true,
  call: "POST sales/export",
  command: "payments sales <month>",
  reason: "required",
  fields: {
    month: word({
      label: "Month",
      hint: "Such as 2026-11, in the shop's time zone.",
      about: "Such as `2026-11`, in the shop's time zone",
      pattern: /^20\d\d-(0[1-9]|1[0-2])$/,
      mistake: "a month, such as 2026-11",
    }),
  },
  answers: "salesOfMonth",
  means: "The sums of the month",
  summary: "Add up what moved Stripe's balance in a month, for the tax adviser",
  description:
    "Reads Stripe's books first. `GET sales/{month}/sales.csv` is the file: a row for each payment, refund, dispute and fee.",
});

export const approveRefund = operation({
  reason: "required",
  name: "refund.approve",
  roles: ["owner"],
  code: true,
  call: "POST refunds/{id}/approve",
  answers: "refundOutcome",
  means: "The refund is made",
  pending: refundPayment.pending,
  summary: "Approve a refund that support proposed",
});

export const declineRefund = operation({
  reason: "required",
  name: "refund.decline",
  roles: ["owner", "discord_support"],
  call: "POST refunds/{id}/decline",
  answers: "refund",
  summary: "Decline a refund that support proposed",
});

const decidesCorrection = { roles: ["owner"], reason: "required", answers: "correction" } as const;

export const approveCorrection = operation({
  ...decidesCorrection,
  name: "correction.approve",
  code: true,
  call: "POST corrections/{id}/approve",
  summary: "Approve an address that support proposed",
  description:
    "Replacing an address declines what was proposed for it before: `correction_decided`. Refused as replacing it would be if the order has changed otherwise, such as `license_taken` once a gift's key is redeemed; the proposal then stays undecided.",
});

export const declineCorrection = operation({
  ...decidesCorrection,
  name: "correction.decline",
  call: "POST corrections/{id}/decline",
  summary: "Decline an address that support proposed",
});

export const cancelSubscription = operation({
  on: "subscription",
  name: "subscription.cancel",
  roles: ["operator", "owner"],
  call: "POST subscriptions/{id}/cancel",
  command: "subscriptions cancel <subscription>",
  reason: "required",
  fields: { now: flag({ label: "Right away", about: "Right away, instead of at the end of what was paid" }) },
  answers: "subscription",
  summary: "Cancel a subscription, at the end of what was paid or right away",
});
