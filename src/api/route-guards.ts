import { OpenAPIHono, type z } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import { shownAccountHeader } from "@/contract/vocabulary/account-rules";
import { customer } from "@/core/base/actor";
import type { LimitName } from "@/contract/vocabulary/limits";
import { byAddress, expectNotFull } from "@/core/limits/limits";
import { Refusal } from "@/core/base/refusal";
import { inTurn } from "@/core/limits/turns";
import type { Requester } from "@/domain/accounts/sessions/account";
import type { Browser, SignedIn, SignInCookies } from "@/domain/accounts/sessions/sessions";
import { countedAs } from "@/core/limits/networks";
import { needsSession } from "./answers";
import { isOAuth } from "./oauth";
import { readCookie, writeCookie } from "./cookies";
import type { Env, Shop } from "./shop";

/** A router that refuses a bad body or query, naming its wrong fields, the first one first. */
export const newRouter = (options: { strict?: boolean } = {}) =>
  new OpenAPIHono<Env>({
    ...options,
    defaultHook: (result) => {
      if (result.success) return;
      const [first, ...others] = firstOfEachField(result.error.issues.map(detailOf)).slice(0, mostFields);
      throw new Refusal("invalid_field", {
        ...first,
        others: others.map((detail) => new Refusal("invalid_field", detail)),
      });
    },
  });

/** More wrong fields than any form of ours has are not named. */
const mostFields = 8;

const firstOfEachField = (all: WrongField[]) =>
  all.filter(({ field }, at) => all.findIndex((one) => one.field === field) === at);

type WrongField = { field: string; sentence: string };

function detailOf(issue: z.core.$ZodIssue): WrongField {
  const unknown = issue.code === "unrecognized_keys" ? issue.keys[0]?.slice(0, 64) : undefined;
  if (unknown !== undefined) return { field: unknown, sentence: `${unknown} is not a field of this call.` };
  const field = issue.path.join(".") || "body";
  if (issue.code === "too_big" && issue.origin === "array")
    return { field, sentence: `${field} has more than ${issue.maximum} entries.` };
  const wrong = issue.code === "custom" || issue.code === "invalid_format";
  const named = wrong ? `${field} ${issue.message}.` : `${field} is missing or has the wrong shape.`;
  const isSentence = issue.code === "custom" && issue.params?.["isSentence"] === true;
  return { field, sentence: isSentence ? issue.message : named };
}

/** Stores the address that the request's limits count against. */
export const storeAddress = (shop: Shop) =>
  createMiddleware<Env>(async (c, next) => {
    const forwarded = c.req.header("x-forwarded-for");
    c.set("address", clientAddress(forwarded, c.env.peer, shop.config.trustedProxies));
    await next();
  });

const reading = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * The desktop application's calls and the unsubscribe link read only a token and no cookie, so their origin doesn't
 * matter.
 */
const readsNoCookie = /^\/api\/(app\/|unsubscribe\/?$)/;
/** Mail programs and the unsubscribe page's button send a form there, whose content we ignore (RFC 8058). */
const takesForms = /^\/api\/unsubscribe\/?$/;

/**
 * Requires requests that change something to come from the shop's own pages. Browsers say so in `Sec-Fetch-Site`,
 * older browsers in `Origin`. A request with neither header and no session cookie comes from a program and may pass.
 */
export const sameOrigin = (shop: Shop) =>
  createMiddleware<Env>(async (c, next) => {
    const changes = !reading.has(c.req.method) && !readsNoCookie.test(c.req.path);
    if (changes && !fromOwnPages(c, shop)) throw new Refusal("cross_site");
    await next();
  });

function fromOwnPages(c: Context<Env>, shop: Shop): boolean {
  const site = c.req.header("sec-fetch-site");
  if (site !== undefined) return site === "same-origin";
  const origin = c.req.header("origin");
  if (origin !== undefined) return origin === shop.config.publicUrl.origin;
  return readCookie(c, "session", shop.config.publicUrl) === undefined;
}

/** Whether a page of another site makes this call, to which a browser adds the session's cookie when it navigates. */
export const isFromElsewhere = (c: Context): boolean =>
  ["cross-site", "same-site"].includes(c.req.header("sec-fetch-site") ?? "");

/** Refuses a call that a link or a picture on another site makes; programs send no `Sec-Fetch-Site`. */
export function expectOwnSite(c: Context): void {
  if ((c.req.header("sec-fetch-site") ?? "same-origin") !== "same-origin") throw new Refusal("cross_site");
}

/** Files that customers send in tickets: their bytes are the body, and only a page of the shop can send them. */
const takesFiles = /^\/api\/tickets\/[^/]+\/files\/?$/;
export const isUpload = (c: Context): boolean => c.req.method === "POST" && takesFiles.test(c.req.path);

/** Builds' parts, files in tickets, and files to import: only staff on the desk can send them; their routes bound them. */
const takesBytes =
  /^\/api\/desk\/(releases\/uploads\/[^/]+\/parts\/\d+|tickets\/[^/]+\/files|imports\/[^/]+)\/?$/;
export const isDeskUpload = (c: Context): boolean => c.req.method === "PUT" && takesBytes.test(c.req.path);

/** Bodies must be declared as JSON, which a form on another site can't do. */
export const jsonOnly: MiddlewareHandler = async (c, next) => {
  const type = c.req.header("content-type");
  const changes =
    !reading.has(c.req.method) &&
    !takesForms.test(c.req.path) &&
    !isOAuth(c) &&
    !isUpload(c) &&
    !isDeskUpload(c);
  if (changes && type !== undefined && !/^application\/json\s*(;|$)/i.test(type)) {
    throw new Refusal("unsupported_media_type");
  }
  await next();
};

/** Counts the request for its address. */
export const limitRequests = (shop: Shop, name: LimitName) =>
  createMiddleware<Env>(async (c, next) => {
    shop.memory.spendByAddress(shop.limits[name], c.get("address"));
    await next();
  });

/**
 * Refuses a request before parsing its body while its address has used up one of these limits. Counts nothing and asks
 * no database: the call itself counts, together with its limits by account.
 */
export const refuseExhausted = ({ ctx, limits }: Shop, ...names: LimitName[]) =>
  createMiddleware<Env>(async (c, next) => {
    expectNotFull(
      ctx,
      names.flatMap((name) => byAddress(limits[name], c.get("address"))),
    );
    await next();
  });

type SignedInEnv<S = SignedIn> = Env & { Variables: { signedIn: S } };
type ReadBy<S> = (token: string) => Promise<S | null>;

/**
 * Requires a signed-in account, and renews its session cookie. Another site's link is refused with `cross_site`: it must
 * spend nothing of the customer's.
 */
export const signedInOnly = (shop: Shop) => signedInBy(shop, shop.readSession);

/** What a call declares that needs a signed-in account. */
export const signedInCall = (shop: Shop) => ({
  security: needsSession,
  middleware: signedInOnly(shop),
});

/** The same, for a call that needs more of the account: one query reads it all. */
export const signedInBy = <S extends SignedIn>(shop: Shop, read: ReadBy<S>) =>
  createMiddleware<SignedInEnv<S>>(async (c, next) => {
    if (isFromElsewhere(c)) throw new Refusal("cross_site");
    const again = () => sessionFrom(c, shop, read);
    const found = await again();
    if (!found) {
      shop.memory.spendByAddress(shop.limits.other, c.get("address"));
      throw new Refusal("unauthenticated");
    }
    expectShown(c, found);
    shop.memory.spend(shop.limits.own, found.account.id);
    const signedIn = await inTurn(shop.ctx, found.account.id, { found, again });
    if (!signedIn) throw new Refusal("unauthenticated");
    c.set("signedIn", signedIn);
    await next();
  });

/**
 * The account of the request's session cookie, or null, also for another site's link; resolves at the account's turn.
 * Refuses a page that shows somebody who is not signed in any more: it must not buy as a visitor.
 */
export const signedInFrom = (c: Context, shop: Shop) => signedInWith(c, shop, shop.readSession);

export async function signedInWith<S extends SignedIn>(
  c: Context,
  shop: Shop,
  read: ReadBy<S>,
): Promise<S | null> {
  if (isFromElsewhere(c)) return null;
  const again = () => sessionFrom(c, shop, read);
  const found = await again();
  expectShown(c, found);
  return found && inTurn(shop.ctx, found.account.id, { found, again });
}

/** Refuses the call of a page that shows another account than the session's. Programs and links don't say whom they show. */
function expectShown(c: Context, signedIn: SignedIn | null): void {
  const shown = c.req.header(shownAccountHeader);
  if (shown && shown !== signedIn?.account.id) throw new Refusal("other_account");
}

async function sessionFrom<S extends SignedIn>(
  c: Context,
  { config: { publicUrl } }: Shop,
  read: ReadBy<S>,
): Promise<S | null> {
  const token = readCookie(c, "session", publicUrl);
  if (!token) return null;
  const signedIn = await read(token);
  if (signedIn?.renewed) writeCookie(c, { name: "session", value: token, publicUrl });
  return signedIn;
}

/** The User-Agent header, cut at a length that no real browser exceeds. */
export const userAgentOf = (c: Context) => (c.req.header("user-agent") ?? "").slice(0, 300);

/** The browser and address that a request comes from. */
export const browserOf = (c: Context, { config: { publicUrl } }: Shop): Browser => ({
  userAgent: userAgentOf(c),
  address: c.get("address") as string,
  session: readCookie(c, "session", publicUrl),
  known: readCookie(c, "known", publicUrl),
});

/** The signed-in account as the domain's functions take it. */
export const requesterOf = <S extends SignedIn>(c: Context<SignedInEnv<S>>, shop: Shop): Requester => {
  const { account, session } = c.get("signedIn");
  return { actor: customer(account.id), account, session, browser: browserOf(c, shop) };
};

export function setSessionCookies(
  c: Context<Env>,
  { config: { publicUrl } }: Shop,
  { session, known }: SignInCookies,
): void {
  writeCookie(c, { name: "session", value: session, publicUrl });
  writeCookie(c, { name: "known", value: known, publicUrl });
}

/**
 * The address that a request's limits count against. Each trusted proxy appends the address it saw to
 * `X-Forwarded-For`, so the client's is that many entries from the end; the client may have made up anything before
 * it. Drops the port that some proxies append: otherwise every connection would count as a new address. If the entry
 * is not an address, the proxy's own counts. A whole IPv6 /64 counts as one address, because a provider assigns at
 * least that to each customer.
 */
export function clientAddress(forwarded: string | undefined, peer: string, trustedProxies: number): string {
  const seen = trustedProxies > 0 && forwarded ? forwarded.split(",") : [];
  const client = seen.at(-Math.min(trustedProxies, seen.length)) ?? "";
  return parseForwarded(client) ?? parseForwarded(peer) ?? "unknown";
}

/**
 * Parses `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `2001:db8::1%eth0` or `[2001:db8::1%eth0]:80`; null for anything
 * else.
 */
function parseForwarded(text: string): string | null {
  const [, bracketed, ported] = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(text.trim()) ?? [];
  return countedAs((bracketed ?? ported ?? text.trim()).replace(/%.*$/, ""));
}
