import { createTransport } from "nodemailer";
import type { Email } from "@/domain/mail/email";
import { markPicture } from "./mark";
import { render } from "./render";

/** An email as nodemailer takes it: subject, HTML with the mark's picture, and text. */
export const messageOf = (email: Email) => ({
  ...render(email),
  attachments: markPicture ? [markPicture] : [],
});

/** The email as a mail server would receive it (RFC 5322), which nobody sends. */
export async function composed(email: Email, { from, to }: { from: string; to: string }): Promise<string> {
  const composer = createTransport({ streamTransport: true, buffer: true });
  const { message } = await composer.sendMail({ ...messageOf(email), from, to });
  if (!Buffer.isBuffer(message)) throw new Error("the composer was asked for a buffer");
  return message.toString("latin1");
}
