import type { TestMail } from "@/gateways/mail/test-mail";
import { inSeconds, refused, type Tried, untested } from "./tried";

/** Sends a mail with the code. `ok`: the server took it; that it arrives shows when the code is typed back. */
export async function tryMail(mail: TestMail): Promise<Tried> {
  const { sendTestMail } = await import("@/gateways/mail/test-mail");
  const send = async (): Promise<Tried> => {
    const refusal = await sendTestMail(mail);
    if (refusal === null) return { kind: "ok" };
    return (refusal.isAway ? untested : refused)(refusal.sentence);
  };
  return inSeconds(mostSeconds, "The mail server", send());
}

const mostSeconds = 30;
