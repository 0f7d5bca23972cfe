import { utcTime } from "@/contract/vocabulary/dates";
import { eq } from "drizzle-orm";
import { money } from "@/contract/vocabulary/money";
import type { Ctx } from "@/core/database/context";
import { noPayload } from "@/core/database/topic";
import { amount, button, type Fact, facts, heading, lines, link, paragraph } from "../../mail/blocks";
import type { Email } from "../../mail/email";
import { payments } from "../../schema/payments";
import {
  type AboutPayment,
  aboutPayment,
  type FoundPayment,
  levelFacts,
  mailNotes,
  paymentEmail,
  priceFacts,
  whyPayment,
} from "../about-payment";
import { portalLink } from "../about-subscription";

/** A payment of a subscription after its first order: a renewal, a switch, or the end of a trial. It carries no key. */
export const renewalReceiptEmail = paymentEmail("mail.renewal-receipt", noPayload, (ctx, found) =>
  found.payment.receiptSentAt ? null : draft(ctx, found, "receipt"),
);

/** The receipt once more, under another Message-ID: mail programs would drop it as a repeat. */
export const renewalReceiptAgainEmail = paymentEmail(
  "mail.renewal-receipt-again",
  noPayload,
  (ctx, found, job) => draft(ctx, found, `receipt-again.${job.createdAt.getTime()}.${job.generation}`),
);

async function draft(ctx: Ctx, found: FoundPayment, name: string) {
  const { payment, shop, licence } = found;
  // a payment for a subscription that never began is refunded, and the refund has its own email
  if (payment.state !== "succeeded" || !licence) return null;
  const { id, invoiceUrl, periodEndsAt, paidAt, createdAt } = payment;
  return {
    name,
    email: writeRenewalReceipt({
      ...aboutPayment(found),
      invoiceUrl,
      periodEndsAt,
      paidAt: paidAt ?? createdAt,
      seller: shop.seller,
      manageUrl: new URL("/dashboard/license#billing", shop.publicUrl).href,
      portalUrl: await shop.portalLoginPage(),
    }),
    ...mailNotes(ctx, "receipt", eq(payments.id, id)),
  };
}

type Content = AboutPayment & {
  invoiceUrl: string | null;
  /** The end of what was paid. */
  periodEndsAt: Date | null;
  paidAt: Date;
  seller: string[];
  manageUrl: string;
  /** Where a buyer without an account manages it; null if there is no such page. */
  portalUrl: string | null;
};

export function writeRenewalReceipt(content: Content): Email {
  const { productName, bill, invoiceUrl, periodEndsAt, paidAt, transactionId, seller, manageUrl } = content;
  const paid = money(bill.paid, bill.currency);
  const until: Fact[] = periodEndsAt ? [["Paid until", utcTime(periodEndsAt)]] : [];
  return {
    kind: "renewal-receipt",
    subject: `Your receipt for ${productName}`,
    preheader: `${paid} for ${productName}.`,
    blocks: [
      heading("Your subscription was paid"),
      paragraph(`Thank you. Your ${productName} license continues, with the same key.`),
      amount("Amount", paid),
      button("Manage subscription", manageUrl),
      facts(
        ["Product", productName],
        ...levelFacts(content),
        ...priceFacts(content),
        ...until,
        ["Date", utcTime(paidAt)],
        ["Transaction ID", transactionId],
      ),
      ...(invoiceUrl ? [link("See the invoice", invoiceUrl)] : []),
      ...portalLink(content.portalUrl),
      ...(seller.length > 0 ? [lines(...seller)] : []),
    ],
    why: whyPayment(content),
  };
}
