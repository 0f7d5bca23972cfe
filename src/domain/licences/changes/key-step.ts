import { and, eq, isNotNull, or } from "drizzle-orm";
import { addressKey } from "@/contract/vocabulary/addresses";
import type { Ctx } from "@/core/database/context";
import { utcTime } from "@/contract/vocabulary/dates";
import { accounts } from "../../schema/accounts";
import type { Licence } from "../../schema/licences";
import { type Block, button } from "../../mail/blocks";
import { forever } from "../../levels/covers";
import { readActiveLicences } from "../entitlement/active";
import { bestUseOf, coveredText, readHoldings } from "../entitlement/holdings";

/** What the reader of an email can do with its keys. */
export type KeyStep =
  | "register"
  /** The reader has an account, which the key would add to. */
  | "sign-in"
  /** None of the keys adds anything to the lifetime of the reader's account. */
  | "spare"
  /** Nor to what it has for long enough, or of a level that contains theirs. */
  | "covered"
  /** The keys wait for the end of the subscription of the reader's account, or their days would be lost. */
  | "wait"
  /** Already on the reader's own account. */
  | "added"
  /** On another account. */
  | "used";

type MailedLicence = Pick<
  Licence,
  "accountId" | "redeemedAt" | "level" | "chain" | "devices" | "days" | "paidUntil"
>;
/** The address that the keys are mailed to, and the account that bought them, if any. */
type Recipient = { to: string; buyer: string | null };

/** What the reader of an email can do with the keys in it. */
export async function nextKeyStep(ctx: Ctx, keys: MailedLicence[], recipient: Recipient): Promise<KeyStep> {
  const account = await accountOf(ctx, recipient);
  if (keys.every(({ redeemedAt }) => redeemedAt !== null)) {
    return account !== null && keys.every(({ accountId }) => accountId === account) ? "added" : "used";
  }
  if (account === null) return "register";
  const holdings = await readHoldings(ctx, account);
  if (!holdings) return "register";
  const unused = keys.filter(({ redeemedAt }) => redeemedAt === null);
  const use = bestUseOf(ctx, holdings, unused);
  if (use !== "adds nothing") return use === "waits" ? "wait" : "sign-in";
  return unused.every((key) => coveredText(ctx, holdings, key, "") === null) ? "spare" : "covered";
}

/** The end of what the account has of a level now, null for a lifetime; undefined if it has nothing. */
export async function accountRunsUntil(
  ctx: Ctx,
  accountId: string,
  level: string,
): Promise<Date | null | undefined> {
  const active = (await readActiveLicences(ctx, accountId)).filter((one) => one.level === level);
  if (active.length === 0) return undefined;
  const last = Math.max(...active.map(({ until }) => until));
  return last === forever ? null : new Date(last);
}

/** Where an email's button leads. Mailed links never carry a key, but in the fragment a token that stands for one. */
export const stepUrl = (step: KeyStep, publicUrl: URL, token: string | null = null): string =>
  new URL(`${step === "register" ? "/register" : "/dashboard/license"}${token ? `#${token}` : ""}`, publicUrl)
    .href;

/** The reader's account: the account that bought the keys, or else the one that has confirmed the address. */
async function accountOf(ctx: Ctx, { to, buyer }: Recipient): Promise<string | null> {
  const found = await ctx.store.db
    .select({ id: accounts.id })
    .from(accounts)
    .where(
      or(
        eq(accounts.id, buyer ?? ""),
        and(eq(accounts.emailKey, addressKey(to)), isNotNull(accounts.emailConfirmedAt)),
      ),
    );
  return (found.find(({ id }) => id === buyer) ?? found[0])?.id ?? null;
}

/**
 * What to do next, and the page to do it on: /register or /dashboard/license. `runsUntil`, if the key is on
 * the reader's account: the end of what the account has of its level now, null for a lifetime.
 */
export type NextStep = { step: KeyStep; stepUrl: string; runsUntil?: Date | null };

const sentences = {
  "sign-in": "You have an account with us: sign in and add it there.",
  spare: "Your account already has a lifetime license, so this key is yours to give away.",
  covered: "Your account already has what this key gives, so it is yours to give away.",
  wait: "Your subscription is still running. Keep this key and add it when that ends.",
  added: "It's already on your account.",
  used: "It's already in use on an account.",
} as const satisfies Record<Exclude<KeyStep, "register">, string>;

/** What to do with one key; `register` is the email's own sentence for a reader without an account. */
export const stepSentence = ({ step }: NextStep, register: string): string =>
  step === "register" ? register : sentences[step];

/** Until when a customer's account runs, with a space before it; empty for everybody else. */
export function runsUntilSentence({ runsUntil }: NextStep): string {
  if (runsUntil === undefined) return "";
  return runsUntil ? ` Your license now runs until ${utcTime(runsUntil)}.` : " Your license never ends.";
}

const labels: Record<KeyStep, string | null> = {
  register: "Register",
  "sign-in": "Sign in and add it",
  spare: null,
  covered: null,
  wait: null,
  added: "See your license",
  used: null,
};

export function stepButton({ step, stepUrl }: NextStep): Block[] {
  const label = labels[step];
  return label === null ? [] : [button(label, stepUrl)];
}
