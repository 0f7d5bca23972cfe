import type { MailRefusal, TestMail } from "@/gateways/mail/test-mail";
import { inSeconds, type Tried, untested } from "./tried";

export type MailTried = Exclude<Tried, { kind: "refused" }> | MailRefused;
/** `at`: which of the answers has to be given anew. */
export type MailRefused = { kind: "refused"; reason: string; at: Exclude<MailRefusal["at"], "away"> };

/** Sends a mail with the code. `ok`: the server took it; that it arrives shows when the code is typed back. */
export async function tryMail(mail: TestMail): Promise<MailTried> {
  const { sendTestMail } = await import("@/gateways/mail/test-mail");
  const send = async (): Promise<{ kind: "ok"; refusal: MailRefusal | null }> => ({
    kind: "ok",
    refusal: await sendTestMail(mail),
  });
  const sent = await inSeconds(mostSeconds, "The mail server", send());
  if (sent.kind !== "ok") return untested(sent.reason);
  if (sent.refusal === null) return { kind: "ok" };
  const { at, sentence } = sent.refusal;
  return at === "away" ? untested(sentence) : { kind: "refused", reason: sentence, at };
}

const mostSeconds = 30;
