import { day } from "@/contract/vocabulary/time";
import { theShop } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import type { Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import type { StoredJob } from "@/core/jobs/job-handlers";
import { notice } from "../notice";
import { type Email, MailDeferred, type Mailer, MailRefused, MailRejected } from "./email";
import { mustNotRefuse } from "./refusing";
import { storeUnsent } from "./unsent";

/** What an email is about: the id of a payment, licence or account, and the account's id if known. */
export type About = { subject: string; accountId?: string | null };

/** An email with its recipient. */
export type Outgoing = {
  to: string;
  /** Names this email at every attempt: mail programs recognise a repeat after a crash by it (RFC 5322 §3.6.4). */
  id: string;
  email: Email;
  about: About;
  /** The writes once the mail server has accepted it. */
  delivered?: (messageId: string) => Write[];
  /** The writes if it won't be sent because the mail server refused it, with these words. */
  refused?: (words: string) => Write[];
  /** The writes if the mail server refuses it for good, besides the entry in the history. */
  rejected?: () => Write[] | Promise<Write[]>;
  /** The job that sends it after `rejected`, if the server turns out to have refused everybody; by default the same. */
  again?: { topic: string; payload: unknown };
};

type Jobs = readonly (Pick<StoredJob, "key" | "topic" | "subject" | "createdAt"> & { payload: unknown })[];

/** How long an email that the mail server refuses is retried. */
const retryWindow = 5 * day;

/** `ends`: whether it is given up after days; `lasting`: then `shop mail retry` can still send it, and staff are notified. */
type DeliverOptions = { host: string; jobs: Jobs; ends: "never" | "useless" | "lasting" };

/**
 * Sends an email of these jobs. Resolves to the writes that end them; throws any failure after which another attempt
 * may help.
 */
export async function deliver(
  ctx: Ctx,
  mailer: Mailer,
  { to, id, email, about, delivered, refused, rejected, again }: Outgoing,
  { host, jobs, ends }: DeliverOptions,
): Promise<Write[]> {
  const messageId = `<${id}@${host}>`;
  const { subject, accountId = null } = about;
  const log = (action: "mail.rejected" | "mail.given_up", { message }: Error) => {
    const words = withoutName(message, to);
    return [
      record(ctx, { actor: theShop, action, subject, accountId, detail: { letter: email.kind, words } }),
      ...(refused?.(words) ?? []),
    ];
  };
  const stored = jobs.map(({ payload, ...job }) => ({ ...job, payload: jsonOf(payload) }));
  try {
    await mailer.send({ to, messageId, email });
    return delivered?.(messageId) ?? [];
  } catch (error) {
    if (error instanceof MailRejected) {
      const kept = stored.map((one) => storeUnsent(ctx, "refused", again ? otherwise(one, again) : one));
      return [
        ...log("mail.rejected", error),
        ...((await rejected?.()) ?? []),
        ...(error.isSure ? [] : [...kept, mustNotRefuse(ctx)]),
      ];
    }
    if (ends === "never" || !isRefusal(error) || !stored.every((one) => hasWaited(ctx, one))) throw error;
    if (ends === "useless") return log("mail.given_up", error);
    const sentence = `The mail server has refused an email (${email.kind}, about ${subject}) for five days, so it is given up. Once it accepts mail again, shop mail retry sends it.`;
    return [
      ...log("mail.given_up", error),
      ...stored.flatMap((one) => [
        storeUnsent(ctx, "given-up", one),
        ...notice(ctx, `${one.key}:given up`, { kind: "letter rejected", sentence }),
      ]),
    ];
  }
}

/**
 * The log outlives people's data, and a server may repeat the name of the mailbox, often in lower case and without what
 * follows a plus. Words that only contain a short name stay whole.
 */
function withoutName(words: string, address: string): string {
  const name = address.slice(0, address.lastIndexOf("@")).toLowerCase();
  const names = new Set([name, name.split("+", 1)[0]].flatMap((one = "") => one.match(everyWord) ?? []));
  return words.replace(everyWord, (word) => (names.has(word.toLowerCase()) ? "…" : word));
}

/** A word, from its first letter or digit to its last. */
const everyWord = /[\p{L}\p{N}](?:[^\s<>()[\]:;,="]*[\p{L}\p{N}])?/gu;

const jsonOf = (payload: unknown) => (payload === null ? null : JSON.stringify(payload));

const otherwise = <Job extends { subject: string }>(
  job: Job,
  { topic, payload }: NonNullable<Outgoing["again"]>,
) => ({
  ...job,
  key: `${topic}:${job.subject}`,
  topic,
  payload: jsonOf(payload),
});

/** The server answered, and not because of the recipient. */
const isRefusal = (error: unknown): error is Error =>
  error instanceof MailRefused || error instanceof MailDeferred;

const hasWaited = ({ now }: Ctx, { createdAt }: Pick<StoredJob, "createdAt">) =>
  now().getTime() - createdAt.getTime() >= retryWindow;
