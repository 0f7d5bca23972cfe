import type { z } from "zod";
import { commit, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import type { LimitTable } from "@/contract/vocabulary/limits";
import {
  type Batch,
  type Handler,
  type Job,
  topicHandler,
  type TopicHandler,
} from "@/core/jobs/job-handlers";
import { maxJobsPerWrite } from "@/core/jobs/outbox";
import type { Topic } from "@/core/database/topic";
import { deliver, type Outgoing } from "./deliver";
import type { Mailer } from "./email";

/**
 * The shop as emails show it. `seller`: name and address, line by line. `invoices`: whether Stripe makes one for each
 * sale. `portalLoginPage`: where buyers of subscriptions sign in to Stripe's page by email, or null.
 */
export type Shop = {
  publicUrl: URL;
  seller: string[];
  invoices: boolean;
  portalLoginPage: () => Promise<string | null>;
  owner: Owner;
  limits: LimitTable;
  /** Whether it has a Discord server, where licences give a role. */
  discord: boolean;
};

type Owner = {
  /** Null if the shop mails no owner. */
  email: string | null;
  /** Where staff find the notices that an email only counts. */
  elsewhere: "the log" | "the staff channel";
};

/** `to` is null for an account that has no address any more, which gets no email. */
type AddressedEmail = Omit<Outgoing, "to"> & { to: string | null };

/** `instead`: sends nothing, and these writes end the job. Null if there is nothing to send any more. */
type PreparedEmail = AddressedEmail | AddressedEmail[] | { instead: Write[] } | null;

export type EmailJob<P = unknown> = Omit<Job, "payload"> & { payload: P };

export type EmailName = `mail.${string}` | `bulk.${string}`;

/** An email of the shop: its topic in the outbox, the payload of its jobs, and its content at the time of sending. */
export type EmailTemplate<S extends z.ZodType = z.ZodType> = Topic<S> & {
  readonly name: EmailName;
  /** Useless later, so dropped if mail is off. Other emails wait in the outbox until mail is on. */
  dropWhenOff?: true;
  prepare(ctx: Ctx, job: EmailJob<z.output<S>>, shop: Shop): Promise<PreparedEmail>;
  /** The writes that end the job despite an error; otherwise the error is thrown. */
  failed?(ctx: Ctx, job: EmailJob<z.output<S>>, error: unknown): Write[];
};

type DeclaredTemplate<S extends z.ZodType> = Omit<EmailTemplate<S>, "lane"> &
  Partial<Pick<EmailTemplate<S>, "lane">>;

/** Declares an email; its lane is `mail` by default. */
export const emailTemplate = <S extends z.ZodType>(declared: DeclaredTemplate<S>): EmailTemplate<S> => ({
  lane: "mail",
  ...declared,
});

/** An email that gathers the content of several jobs. */
export type GatheredEmail<S extends z.ZodType = z.ZodType> = Topic<S> & {
  /** How many jobs at most, and the pause between two emails. */
  most: number;
  pauseMilliseconds: number;
  /** Null drops the jobs, for example while mail is off. */
  recipient(shop: Shop): string | null;
  prepare(ctx: Ctx, jobs: EmailJob<z.output<S>>[], shop: Shop): Promise<Omit<Outgoing, "to">>;
};

/** Declares an email that gathers jobs. */
export const gatheredEmail = <S extends z.ZodType>(declared: GatheredEmail<S>): GatheredEmail<S> => declared;

/** The outbox handlers of these emails; `mailer` is null if mail is off. */
export function emailHandlers(
  ctx: Ctx,
  mailer: Mailer | null,
  shop: Shop,
  templates: readonly (EmailTemplate | GatheredEmail)[],
): TopicHandler[] {
  return templates.flatMap((template) => {
    if ("recipient" in template) return [topicHandler(template, gatheringBatch(ctx, mailer, shop, template))];
    if (mailer) return [topicHandler(template, handlerOf(ctx, mailer, shop, template))];
    return template.dropWhenOff ? [topicHandler(template, dropped)] : [];
  });
}

const dropped: Handler = () => Promise.resolve([]);
const allDropped: Batch = {
  most: maxJobsPerWrite,
  pauseMilliseconds: 0,
  handle: (jobs) => Promise.resolve(jobs),
};

function gatheringBatch(ctx: Ctx, mailer: Mailer | null, shop: Shop, template: GatheredEmail): Batch {
  const to = template.recipient(shop);
  if (!mailer || to === null) return allDropped;
  const { most, pauseMilliseconds } = template;
  const handle = async (jobs: Job[]) => {
    const outgoing = await template.prepare(ctx, jobs, shop);
    const { hostname: host } = shop.publicUrl;
    // retried without end: jobs that come meanwhile go into the next email
    const writes = await deliver(ctx, mailer, { ...outgoing, to }, { host, jobs, ends: "never" });
    if (writes.length > 0) await commit(ctx.store, writes);
    return jobs;
  };
  return { most, pauseMilliseconds, handle };
}

const handlerOf =
  (ctx: Ctx, mailer: Mailer, shop: Shop, template: EmailTemplate): Handler =>
  async (job) => {
    const { hostname: host } = shop.publicUrl;
    const ends = template.failed ? "never" : template.dropWhenOff ? "useless" : "lasting";
    try {
      const prepared = await template.prepare(ctx, job, shop);
      if (prepared && "instead" in prepared) return prepared.instead;
      const writes: Write[] = [];
      for (const one of prepared ? [prepared].flat() : []) {
        const { to } = one;
        if (to !== null)
          writes.push(...(await deliver(ctx, mailer, { ...one, to }, { host, jobs: [job], ends })));
      }
      return writes;
    } catch (error) {
      if (!template.failed) throw error;
      return template.failed(ctx, job, error);
    }
  };
