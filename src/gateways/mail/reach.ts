import { createTransport } from "nodemailer";
import { transportOptions } from "./transport";

/** Connects and logs in as for a letter, but sends none. Resolves to what is wrong, or null. */
export async function mailTrouble(smtpUrl: string): Promise<string | null> {
  const within = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 10_000 };
  const transport = createTransport({ ...within, socketTimeout: 10_000, ...transportOptions(smtpUrl) });
  try {
    await transport.verify();
    return null;
  } catch (error) {
    // only the code: the server's message may repeat the login
    return error instanceof Error && "code" in error ? String(error.code) : "unknown";
  } finally {
    transport.close();
  }
}
