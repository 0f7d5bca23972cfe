import { createTransport } from "nodemailer";
import { isMailable, wireAddress } from "@/contract/vocabulary/addresses";
import { second } from "@/contract/vocabulary/time";
import { canDecodeLogin } from "@/core/settings/setting-kinds";
import { senderOf } from "@/core/settings/sender";
import { mailFailure } from "./failure";
import { loginIn, type Reply, replyTo, shownReply, verdictOn } from "./replies";
import { connectOptions } from "./transport";

export type TestMail = {
  smtpUrl: string;
  from: string;
  to: string;
  /** What the reader types back. */
  code: string;
  hello?: string | undefined;
};

type MailRefusal = {
  /** Says nothing about what was given. */
  isAway: boolean;
  /** One sentence, with the server's own words if there were any, and without the login. */
  sentence: string;
};

const within = 10 * second;

/** Sends a code to an address; null once the server has taken it. It is plain text, for which no brand is needed. */
export async function sendTestMail({
  smtpUrl,
  from,
  to,
  code,
  hello,
}: TestMail): Promise<MailRefusal | null> {
  const sender = senderOf(from);
  if (!/^smtps?:\/\/[^/]/.test(smtpUrl) || !URL.canParse(smtpUrl) || !canDecodeLogin(smtpUrl))
    return refusal(misspelt);
  if (!sender) return refusal("The sender must be an address, such as Shop <shop@example.com>.");
  const recipient = wireAddress(to);
  if (!isMailable(recipient)) return refusal("The recipient is not an address that mail can be sent to.");
  try {
    const options = await connectOptions(smtpUrl, { hello });
    const transport = createTransport({ ...timeouts, ...options });
    await transport
      .sendMail({
        from: sender,
        to: { name: "", address: recipient },
        envelope: { from: sender.address, to: [recipient] },
        subject: `${code} is your shop's test code`,
        text: `${code}\n\nType this number where you set up your shop. It shows that the shop's mail arrives.\n`,
        headers: { "Auto-Submitted": "auto-generated" },
      })
      .finally(() => transport.close());
    return null;
  } catch (error) {
    const reply = replyTo(error);
    if (reply) return refusedBy(reply, error, smtpUrl);
    return withoutReply(error, smtpUrl);
  }
}

const timeouts = {
  dnsTimeout: within,
  connectionTimeout: within,
  greetingTimeout: within,
  socketTimeout: within,
};

const misspelt =
  "The mail server must be written as smtp://NAME:PASSWORD@HOST:587 or smtps://NAME:PASSWORD@HOST, with @, #, / and % in the name and password as %40, %23, %2F and %25.";

const refusal = (sentence: string): MailRefusal => ({ isAway: false, sentence });

function refusedBy(reply: Reply, error: unknown, smtpUrl: string): MailRefusal {
  const words = `“${shownReply(reply, loginIn(smtpUrl))}”`;
  const command = error instanceof Error && "command" in error ? String(error.command) : "";
  if (reply.code < 500) return { isAway: true, sentence: `The mail server says to try later: ${words}.` };
  if (command.startsWith("AUTH")) return refusal(`The mail server refuses the login: ${words}.`);
  if (command === "RCPT TO" && verdictOn(reply) !== "set-up")
    return refusal(`The mail server refuses the recipient: ${words}.`);
  if (command === "MAIL FROM" || command === "RCPT TO")
    return refusal(`The mail server refuses mail of this sender: ${words}.`);
  if (command === "DATA")
    return refusal(`The mail server refuses the email, often because of its sender: ${words}.`);
  return refusal(`The mail server refuses the connection: ${words}.`);
}

/** What a failure without an answer of the server means. */
export function withoutReply(error: unknown, smtpUrl: string): MailRefusal {
  const known = mailFailure(error);
  if (!(error instanceof Error) || known === null)
    return { isAway: true, sentence: "The mail server closes the connection: is the port right?" };
  const code = "code" in error ? String(error.code) : "";
  const isUnknown = code === "ENOTFOUND" || code === "EDNS";
  const isAway =
    /ETIMEDOUT|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN/.test(`${code} ${error.message}`) ||
    /does not answer|nothing listens/.test(known) ||
    // a name without a dot is the network's own, such as that of a container that doesn't run yet
    (isUnknown && !new URL(smtpUrl).hostname.includes("."));
  return { isAway, sentence: `The mail server can't be used: ${known}.` };
}
