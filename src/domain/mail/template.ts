import type { z } from "zod";
import type { Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import type { Handler, Handlers, Job } from "@/core/outbox";
import { type EmailTopic, fitted } from "@/core/outbox-topics";
import type { Email, Mailer } from "./email";
import { type About, sendEmail } from "./send-email";

/** What emails say of the shop. `seller`: who sells, line by line. `invoices`: whether Stripe makes one for each sale. */
export type Shop = { publicUrl: URL; seller: string[]; invoices: boolean };

/** An email with its recipient. */
export type Outgoing = {
  to: string;
  /** Names this email at every attempt: mail programs recognise a repeat after a crash by it (RFC 5322 §3.6.4). */
  id: string;
  email: Email;
  about: About;
  /** Writes for once the mail server has accepted it. */
  delivered?: (messageId: string) => Write[];
  /** Writes for if the mail server refuses it for good, besides the entry in the history. */
  rejected?: () => Write[];
};

/** `instead`: nothing is sent, and these writes end the job. Null if there is nothing to send any more. */
type Prepared = Outgoing | Outgoing[] | { instead: Write[] } | null;

/** A job whose payload has been parsed. */
export type EmailJob<P = unknown> = Omit<Job, "topic" | "payload"> & { topic: EmailTopic; payload: P };

/** An email of the shop: its topic in the outbox, the payload of its jobs, and what it says at the time of sending. */
export type EmailTemplate<S extends z.ZodType = z.ZodType> = {
  topic: EmailTopic;
  /** Jobs that the previous release posted may still be waiting, so it must keep accepting theirs. */
  payload: S;
  /** Of no use later, so it is dropped where mail is off. Other emails wait in the outbox until mail is on. */
  dropWhenOff?: true;
  prepare(ctx: Ctx, job: EmailJob<z.output<S>>, shop: Shop): Promise<Prepared>;
  /** The writes that end the job in spite of an error, which is thrown otherwise. */
  failed?(ctx: Ctx, job: EmailJob<z.output<S>>, error: unknown): Write[];
};

/** Declares an email. */
export const emailTemplate = <S extends z.ZodType>(template: EmailTemplate<S>): EmailTemplate<S> => template;

/** The outbox handlers of these emails; `mailer` is null where mail is off. */
export function emailHandlers(
  ctx: Ctx,
  mailer: Mailer | null,
  shop: Shop,
  templates: readonly EmailTemplate[],
): Handlers {
  const handled = templates.filter(({ dropWhenOff }) => mailer || dropWhenOff);
  return Object.fromEntries(
    handled.map((template) => [template.topic, mailer ? handlerOf(ctx, mailer, shop, template) : dropped]),
  );
}

const dropped: Handler = () => Promise.resolve([]);

const handlerOf =
  (ctx: Ctx, mailer: Mailer, shop: Shop, template: EmailTemplate): Handler<EmailTopic> =>
  async (stored) => {
    const job = { ...stored, payload: fitted(template.payload, stored.payload) };
    try {
      const prepared = await template.prepare(ctx, job, shop);
      if (prepared && "instead" in prepared) return prepared.instead;
      const writes: Write[] = [];
      for (const one of prepared ? [prepared].flat() : []) {
        writes.push(...(await deliver(ctx, mailer, shop, one)));
      }
      return writes;
    } catch (error) {
      if (!template.failed) throw error;
      return template.failed(ctx, job, error);
    }
  };

async function deliver(ctx: Ctx, mailer: Mailer, { publicUrl }: Shop, outgoing: Outgoing): Promise<Write[]> {
  const { to, id, email, about, delivered, rejected } = outgoing;
  const messageId = `<${id}@${publicUrl.hostname}>`;
  const refused = await sendEmail(ctx, mailer, { to, messageId, email }, about);
  return refused ? [refused, ...(rejected?.() ?? [])] : (delivered?.(messageId) ?? []);
}
