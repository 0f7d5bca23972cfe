import { createTransport } from "nodemailer";
import type { Email } from "@/domain/mail/email";
import { markPicture } from "./mark";
import { type Look, render } from "./render";

/** An email as nodemailer takes it: subject, HTML with the mark's picture, text, and the attached file if it has one. */
export const messageOf = (email: Email, look: Look = {}) => ({
  ...render(email, look),
  attachments: [
    ...(markPicture ? [markPicture] : []),
    ...(email.attachment ? [fileOf(email.attachment)] : []),
  ],
});

const fileOf = ({ name, text }: NonNullable<Email["attachment"]>) => ({
  filename: name,
  content: text,
  contentType: "text/plain; charset=utf-8",
});

/** The email as a mail server would receive it (RFC 5322), which nobody sends. */
export async function composeEmail(
  email: Email,
  { from, to }: { from: string; to: string },
): Promise<string> {
  const composer = createTransport({ streamTransport: true, buffer: true });
  const { message } = await composer.sendMail({ ...messageOf(email), from, to });
  if (!Buffer.isBuffer(message)) throw new Error("the composer was asked for a buffer");
  return message.toString("latin1");
}
