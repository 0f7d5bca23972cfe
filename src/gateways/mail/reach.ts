import { createTransport } from "nodemailer";
import { mailFailure } from "./failure";
import { loginIn, replyTo, shownReply } from "./replies";
import { connectOptions } from "./transport";

/** Connects and logs in like the mailer, but sends nothing. Resolves to the fault, or null. */
export async function mailFault(smtpUrl: string, hello?: string): Promise<string | null> {
  const within = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 10_000 };
  try {
    const options = { ...within, socketTimeout: 10_000, ...(await connectOptions(smtpUrl, { hello })) };
    const transport = createTransport(options);
    await transport.verify().finally(() => transport.close());
    return null;
  } catch (error) {
    const known = mailFailure(error);
    if (known !== null) return known;
    const reply = replyTo(error);
    if (reply) return `it answers “${shownReply(reply, loginIn(smtpUrl))}”`;
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    return /^ECONN(ECTION|RESET)$/.test(code)
      ? "it closes the connection: is the port in SMTP_URL right?"
      : code;
  }
}
