import type { AnswerOf, Declaration, Given, Subject } from "@/contract/operations/operation";
import type { LimitTable } from "@/contract/vocabulary/limits";
import type { By } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import type { Config } from "@/core/settings/config";
import { expectAccount } from "../customers/find";
import type { DeskBackups } from "../backups/at-desk";
import type { Email } from "../mail/email";
import { expectLicence } from "../licences/keys/find";
import { expectPayment } from "../payments/reading/find";
import type { CheckoutGateway } from "../payments/port/stripe";
import type { JudgeRole } from "../offers/change-level";
import { subscriptionNamed } from "../payments/subscriptions/for-staff";
import type { BuildStore } from "../releases/store";
import type { AtDesk } from "../staff/desk-session";
import type { TryService } from "../system/system";
import { expectTicket } from "../tickets/reading/queries";

/** What operations need besides the database. */
export type Services = {
  ctx: Ctx;
  limits: LimitTable;
  /** Stripe, for the operations that ask it. */
  checkout: () => Promise<CheckoutGateway>;
  config: Pick<Config, "publicUrl" | "refundDailyCap" | "webhooksAllowPrivate" | "given">;
  mail: "on" | "off";
  judgeRole: JudgeRole;
};

/** What there is at the desk besides: who calls, and what only the running shop has. */
export type DeskServices = Services & {
  desk: AtDesk;
  parts: BuildStore;
  /** Why release notes can't be posted in the news channel; null if they can. */
  newsChannelProblem: string | null;
  renderEmail: (email: Email) => { subject: string; html: string; text: string };
  tryService: TryService;
  backups: DeskBackups;
};

/** How each subject is found by its id. Refuses with `not_found` or the noun's own code. */
const find = {
  licence: expectLicence,
  payment: expectPayment,
  subscription: subscriptionNamed,
  customer: expectAccount,
  ticket: expectTicket,
  thing: async (_: Ctx, id: string) => id,
} satisfies Record<Subject, (ctx: Ctx, id: string) => Promise<unknown>>;

type FoundSubject<S extends Subject> = Awaited<ReturnType<(typeof find)[S]>>;
export type SubjectOf<D extends Declaration> = D extends { on: infer S extends Subject }
  ? FoundSubject<S>
  : string;

/** An answer with status 202: something is still to be done. */
export class Pending<Data> {
  constructor(readonly data: Data) {}
}

/** An operation that a command offers has only what the command line has. */
type NeedsOf<D> = D extends { command: string } ? Services : DeskServices;

type Ways<D extends Declaration, Result> = {
  /** Does it; what it resolves to is for the entry points that word the result themselves. */
  run: (services: NeedsOf<D>, subject: SubjectOf<D>, given: Given<D>, by: By) => Promise<Result>;
  /** The answer to the desk: the state after the operation. */
  answer: (
    services: NeedsOf<D>,
    done: { result: Result; subject: SubjectOf<D>; by: By },
  ) => Promise<AnswerOf<D> | Pending<AnswerOf<D>>>;
};

/** A declaration with how it is done. */
export type Implemented<D extends Declaration = Declaration, Result = unknown> = {
  declared: D;
  find: (ctx: Ctx, id: string) => Promise<SubjectOf<D>>;
} & Ways<D, Result>;

/** Says how a declared operation is done. */
export function implement<D extends Declaration, Result>(
  declared: D,
  ways: Ways<D, Result>,
): Implemented<D, Result> {
  const found = find[declared.on ?? "thing"] as (ctx: Ctx, id: string) => Promise<SubjectOf<D>>;
  return { declared, find: found, ...ways };
}

/** For an operation whose result is its answer. */
export const resultItself = async <Answer>(_: unknown, { result }: { result: Answer }): Promise<Answer> =>
  result;

/** The one row that was asked for. Refuses with `not_found` if it is gone by now. */
export function theRow<Row>([row]: Row[]): Row {
  if (row === undefined) throw new Refusal("not_found", { sentence: "It is gone." });
  return row;
}

type Said<Given> = { [Name in keyof Given]?: Exclude<Given[Name], undefined> };

/** The fields of a change that were given. */
export const said = <Given extends object>(fields: Given) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Said<Given>;
