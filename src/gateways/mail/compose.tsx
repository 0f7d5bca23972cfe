import { renderToStaticMarkup } from "react-dom/server";
import type { Letter } from "@/domain/mail/letter";
import { confirmEmail } from "./letters/confirm-email";
import { Frame, textFrame } from "./letters/frame";
import { gift } from "./letters/gift";
import { announcement } from "./letters/announcement";
import { licenceEnding } from "./letters/licence-ending";
import { licenceKey } from "./letters/licence-key";
import { licenceKeyReplaced } from "./letters/licence-key-replaced";
import { ownerNotices } from "./letters/owner-notices";
import { orders } from "./letters/orders";
import { paymentDisputed } from "./letters/payment-disputed";
import { paymentFailed } from "./letters/payment-failed";
import { paymentLost } from "./letters/payment-lost";
import { paymentPartRefundFailed } from "./letters/payment-part-refund-failed";
import { paymentRefunded } from "./letters/payment-refunded";
import { paymentRestored } from "./letters/payment-restored";
import { receipt } from "./letters/receipt";
import { recoveryCode } from "./letters/recovery-code";
import { securityNotice } from "./letters/security-notice";
import type { Kind, LetterOf, Writing } from "./letters/writing";

/** Each kind of letter with its template. */
const writings: { [K in Kind]: Writing<K> } = {
  receipt,
  orders,
  gift,
  "licence-key": licenceKey,
  "licence-key-replaced": licenceKeyReplaced,
  "recovery-code": recoveryCode,
  "confirm-email": confirmEmail,
  "security-notice": securityNotice,
  "payment-disputed": paymentDisputed,
  "payment-refunded": paymentRefunded,
  "payment-part-refund-failed": paymentPartRefundFailed,
  "payment-lost": paymentLost,
  "payment-restored": paymentRestored,
  "payment-failed": paymentFailed,
  announcement,
  "licence-ending": licenceEnding,
  "owner-notices": ownerNotices,
};

export type Composed = { subject: string; html: string; text: string };

/** A letter as a mail: subject, HTML and plain text with the same content. */
export function compose(letter: Letter): Composed {
  return written(letter.kind, letter);
}

// The kind is a parameter of its own so that TypeScript can match the letter to its template.
function written<K extends Kind>(kind: K, letter: LetterOf<K>): Composed {
  const writing: Writing<K> = writings[kind];
  const subject = writing.subject(letter);
  const markup = renderToStaticMarkup(
    <Frame subject={subject} preview={writing.preview(letter)} toOwner={writing.toOwner}>
      {writing.body(letter)}
    </Frame>,
  );
  return {
    subject,
    html: `<!doctype html>${markup}`,
    text: textFrame(writing.text(letter), writing.toOwner),
  };
}
