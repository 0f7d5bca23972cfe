import { and, eq, inArray } from "drizzle-orm";
import type { Ctx } from "@/core/database/context";
import { enqueue } from "@/core/jobs/outbox";
import { auditLog } from "@/core/database/schema";
import { nothing } from "@/core/database/topic";
import type { EmailJob } from "../../mail/template";
import type { Licence } from "../../schema/licences";
import { licenceKeyReplacedEmail } from "./licence-key-replaced";
import {
  type AboutPayment,
  aboutPayment,
  type Found,
  nameEachTime,
  paymentEmail,
  paymentLetter,
} from "../about-payment";

/** A dispute has ended. */
export const paymentRestoredEmail = paymentEmail("mail.payment-restored", nothing, (ctx, found, job) =>
  restored(ctx, { ...found, job, because: "dispute-won" }),
);

export const paymentRefundFailedEmail = paymentEmail(
  "mail.payment-refund-failed",
  nothing,
  (ctx, found, job) => restored(ctx, { ...found, job, because: "refund-failed" }),
);

type Cause = "dispute-won" | "refund-failed";
type Restored = Found & { job: EmailJob; because: Cause };

async function restored(ctx: Ctx, { job, because, ...found }: Restored) {
  if (found.licence?.paymentStatus !== "good") return null;
  const unmailed = await unmailedKeys(ctx, found.licences);
  return {
    name: nameEachTime(`restored-${because}`, job),
    email: writePaymentRestored({ ...aboutPayment(found), because }),
    delivered: () => unmailed.map(({ id }) => enqueue(ctx, { topic: licenceKeyReplacedEmail, subject: id })),
  };
}

/** The licences whose key was replaced while they were invalid, when no email could contain it. */
async function unmailedKeys(ctx: Ctx, licences: Licence[]): Promise<Licence[]> {
  const { subject, action, detail } = auditLog;
  const ids = licences.map(({ id }) => id);
  const replaced = await ctx.store.db
    .select({ subject, detail })
    .from(auditLog)
    .where(and(inArray(subject, ids), eq(action, "licence.key_reissued")));
  const isUnmailed = (id: string) =>
    replaced.some((one) => one.subject === id && one.detail?.["mailed"] === false);
  return licences.filter(({ id, redeemedAt }) => redeemedAt === null && isUnmailed(id));
}

/** The licences are valid again. */
export function writePaymentRestored(about: AboutPayment & { because: Cause }) {
  const { productName, quantity, because } = about;
  const several = quantity > 1;
  const licences = several ? "licenses" : "license";
  return paymentLetter(about, {
    kind: "payment-restored",
    subject: `Your ${licences} for ${productName} ${several ? "are" : "is"} back`,
    preheader: several ? "They work as before." : "It works as before.",
    title: several ? "Your licenses are back" : "Your license is back",
    text: [
      because === "dispute-won"
        ? `The dispute over the payment for ${productName} is over.`
        : `The refund of the payment for ${productName} failed, so the payment stands. If a refund was agreed, we will be in touch about another way.`,
      `The ${licences}, downloads and the premium role work as before. You don't need to do anything.`,
    ],
  });
}
