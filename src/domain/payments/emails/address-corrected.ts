import { z } from "zod";
import { brand } from "@/brand/brand";
import { heading, paragraph } from "../../mail/blocks";
import type { Email } from "../../mail/email";
import { emailTemplate } from "../../mail/template";

/**
 * Tells an address that support has taken an order from it, so that its owner can object; the subject is the payment's
 * id and a further id.
 */
export const addressCorrectedEmail = emailTemplate({
  name: "mail.address-corrected",
  payload: z.object({ to: z.string() }),
  prepare(_, { subject, payload: { to } }) {
    const [id = ""] = subject.split(":");
    return Promise.resolve({
      to,
      id: `address-corrected.${subject.replace(":", ".")}`,
      email: writeAddressCorrected(brand.premium.name),
      // a mistyped address often takes no mail
      about: { subject: id },
    });
  },
});

/** The new address may belong to somebody else, so the email doesn't name it. */
export const writeAddressCorrected = (productName: string): Email => ({
  kind: "address-corrected",
  subject: `The address of your ${productName} order was corrected`,
  preheader: `We corrected the email address of a ${productName} order.`,
  blocks: [
    heading("The address of your order was corrected"),
    paragraph(
      `Our support corrected the email address of a ${productName} order that had this address. A license key that we sent here before and that nobody has used is no longer valid.`,
    ),
    paragraph("If you bought it and did not ask for this, please reply to this email."),
  ],
  why: "You get this email because the order had this address until now.",
});
