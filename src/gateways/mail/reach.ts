import { createTransport } from "nodemailer";
import { mailFailure } from "./failure";
import { connectOptions } from "./transport";

/** Connects and logs in like the mailer, but sends nothing. Resolves to the fault, or null. */
export async function mailFault(smtpUrl: string): Promise<string | null> {
  const within = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 10_000 };
  try {
    const options = { ...within, socketTimeout: 10_000, ...(await connectOptions(smtpUrl)) };
    const transport = createTransport(options);
    await transport.verify().finally(() => transport.close());
    return null;
  } catch (error) {
    // only the code, because the server's message may repeat the login
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    return mailFailure(error) ?? code;
  }
}
