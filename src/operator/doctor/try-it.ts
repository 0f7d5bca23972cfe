import { brand } from "@/brand/brand";
import type { TriedService } from "@/contract/vocabulary/kinds";
import { second } from "@/contract/vocabulary/time";
import { newId } from "@/core/database/context";
import { heading, paragraph } from "@/domain/mail/blocks";
import { type Email, MailDeferred, type Mailer, MailRefused, MailRejected } from "@/domain/mail/email";
import { CheckoutUnreachable } from "@/domain/payments/port/stripe";
import { missingPermissionSentence, permissionsNow } from "@/domain/payments/reconcile/key-watch";
import type { Finding } from "@/domain/system/system";
import { stripeFault } from "../terminal/stripe-errors";
import type { OpenShop } from "../terminal/command-line";
import { discord } from "./discord";
import { loadMail } from "./examine";
import { unknown, warning, well, wrong } from "./finding";
import { inTime } from "./in-time";

type Trial = {
  shop: OpenShop;
  /** The running shop's own, so that what it learns counts; null where nothing is mailed. */
  mailer: Mailer | null;
  isCopy: boolean;
  /** The address of whoever tries. */
  to: string | null;
};

/** Shorter than a connection may be silent. */
const mostMilliseconds = 25 * second;

/** Tries a service as the running shop uses it. */
export function tryIt(service: TriedService, trial: Trial): Promise<Finding[]> {
  const { shop, isCopy } = trial;
  switch (service) {
    case "mail":
      return inTime("mail", mostMilliseconds, () => tryMail(trial));
    case "stripe":
      return inTime("Stripe", mostMilliseconds, () => tryStripe(shop));
    default:
      if (isCopy) return Promise.resolve([unknown("Discord", "A copy of the shop changes no roles.")]);
      return inTime("Discord", mostMilliseconds, () => discord(shop, true));
  }
}

async function tryMail({ shop: { config }, mailer, to }: Trial): Promise<Finding> {
  if (config.mail === "off") return warning("mail", "It is off: nobody gets a receipt or a recovery code.");
  if (!mailer || !config.mail) return unknown("mail", "A copy of the shop sends no emails.");
  if (to === null) return unknown("mail", "Your account has no email address to send a test to.");
  try {
    await mailer.send({ to, messageId: `<${newId()}@${config.publicUrl.hostname}>`, email: testEmail() });
    return well(
      "mail",
      `The server accepted a test email to ${to}. If it doesn't arrive, look in your spam.`,
    );
  } catch (error) {
    if (error instanceof MailRejected)
      return wrong("mail", `The server refuses your address: ${error.message}`);
    if (error instanceof MailRefused) {
      const sentence = `The server refuses: ${error.message}. Check MAIL_FROM, the login in SMTP_URL and the server's limits.`;
      return wrong("mail", sentence);
    }
    if (error instanceof MailDeferred)
      return warning("mail", `The server says to try later: ${error.message}`);
    const { helloName, mailFault } = await loadMail();
    const fault = await mailFault(config.mail.smtpUrl, helloName(config.publicUrl));
    return wrong("mail", `The server can't be used (${fault ?? "it gave no answer to the email"}).`);
  }
}

const testEmail = (): Email => ({
  kind: "test",
  subject: `${brand.product}: a test of your shop's mail`,
  preheader: "Your shop's mail works.",
  blocks: [heading("Your shop's mail works"), paragraph("You pressed “Try it” at the desk.")],
  why: "You're receiving this because you tried your shop's mail.",
  toOwner: true,
  connections: "urgent",
});

/** Every permission that the shop's key needs, whether it has it or not. */
async function tryStripe({ ctx, checkout }: OpenShop): Promise<Finding[]> {
  try {
    const permissions = await permissionsNow(ctx, await checkout(), { writes: true });
    return permissions.map((one) =>
      one.granted ? well("Stripe", `${one.label}.`) : wrong("Stripe", missingPermissionSentence(one)),
    );
  } catch (error) {
    if (error instanceof CheckoutUnreachable) return [wrong("Stripe", `${stripeFault(error)}.`)];
    throw error;
  }
}
