import { and, eq } from "drizzle-orm";
import { giftWords } from "@/contract/vocabulary/gift-words";
import { arePlainWords } from "@/contract/vocabulary/plain-words";
import type { Ctx } from "@/core/database/context";
import { noPayload } from "@/core/database/topic";
import {
  nextKeyStep,
  type NextStep,
  stepButton,
  stepSentence,
  stepUrl,
} from "../../licences/changes/key-step";
import { hasSameKeys } from "../../licences/keys/key-versions";
import { keyOf } from "../../licences/keys/issue";
import { keyAgain, mayMailKey } from "../../licences/keys/mailable-key";
import { codes, heading, paragraph, quiet, quotation } from "../../mail/blocks";
import type { Email } from "../../mail/email";
import { payments } from "../../schema/payments";
import { offerOf } from "../port/order-terms";
import { expectReadable, type FoundPayment, mailNotes, paymentEmail } from "../about-payment";
import { mailedToken } from "../reading/mailed-key";

/** Mails a gift's key to its receiver alone. */
export const giftEmail = paymentEmail("mail.gift", noPayload, (ctx, found) => {
  expectReadable(found.payment);
  return found.payment.giftSentAt ? null : draft(ctx, found, { name: "gift", shown: keyOf });
});

/** The gift's email once more, under another Message-ID. */
export const giftAgainEmail = paymentEmail(
  "mail.gift-again",
  noPayload,
  (ctx, found, { createdAt, generation }) => {
    expectReadable(found.payment);
    const name = `gift-again.${createdAt.getTime()}.${generation}`;
    return draft(ctx, found, { name, shown: keyAgain });
  },
);

type DraftOptions = { name: string; shown: typeof keyAgain };

async function draft(ctx: Ctx, { payment, licence, shop }: FoundPayment, { name, shown }: DraftOptions) {
  const { id, giftEmail: to, giftFrom, giftMessage } = payment;
  if (!licence || !mayMailKey(ctx, licence) || to === null) return null;
  const step = await nextKeyStep(ctx, [licence], { to, buyer: null });
  const email = writeGift({
    productName: offerOf(payment).product,
    key: shown(ctx, licence),
    ...plainWords(giftFrom, giftMessage),
    step,
    stepUrl: stepUrl(step, shop.publicUrl, mailedToken(ctx, payment, [licence])),
  });
  // not if staff corrected the address or replaced a key during sending
  const here = and(eq(payments.id, id), eq(payments.giftEmail, to), hasSameKeys(payment));
  return { name, to, email, ...mailNotes(ctx, "gift", here) };
}

/** Leaves out words that today's rules refuse; an order of the release before may have them. */
const plainWords = (from: string | null, message: string | null) => ({
  from: from !== null && arePlainWords(from) ? from : null,
  message: message !== null && arePlainWords(message) ? message : null,
});

type Content = NextStep & { productName: string; key: string; from: string | null; message: string | null };

/** For the receiver of a key that somebody else paid for. */
export function writeGift({ productName, key, from, message, ...next }: Content): Email {
  const words = giftWords(productName, from);
  return {
    kind: "gift",
    subject: words.subject,
    preheader: words.gives,
    blocks: [
      heading(words.heading),
      paragraph(words.gives),
      // the customer's own words follow, not the shop's
      ...(message ? [paragraph(words.wrote), quotation(message)] : []),
      paragraph(stepSentence(next, words.activate)),
      codes(key),
      ...stepButton(next),
      quiet("Keep this email and don't share the key. It belongs to the first account that uses it."),
    ],
    why: "You're receiving this because someone who bought from us named this address as the recipient.",
  };
}
