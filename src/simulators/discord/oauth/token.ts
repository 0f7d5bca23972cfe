import type { Context, Hono } from "hono";
import { createHash, timingSafeEqual } from "node:crypto";
import { grantOf } from "../rest/actor";
import type { OAuthGrant } from "../store/rows";
import { userJson, userOf } from "../wire/people";
import type { World } from "../world";

const tokenSeconds = 604_800;

class TokenRefusal extends Error {
  override name = "TokenRefusal";
  constructor(
    readonly status: 400 | 401,
    readonly error: string,
    readonly description?: string,
  ) {
    super(error);
  }
}
const badGrant = (what: string) => new TokenRefusal(400, "invalid_grant", `Invalid "${what}" in request.`);

/** Tokens for codes, new ones for old ones, and their end. Source: Discord's page "OAuth2". */
export function tokenRoutes(world: World, api: Hono) {
  const answer = (does: (form: URLSearchParams) => object) => async (c: Context) => {
    const form = new URLSearchParams(await c.req.text());
    try {
      mustBeClient(world, c, form);
      return c.json(does(form));
    } catch (error) {
      if (!(error instanceof TokenRefusal)) throw error;
      const { status, error: code, description } = error;
      return c.json({ error: code, ...(description && { error_description: description }) }, status);
    }
  };
  api.post(
    "/oauth2/token",
    answer((form) => tokenFor(world, form)),
  );
  api.post(
    "/oauth2/token/revoke",
    answer((form) => {
      const token = form.get("token") ?? "";
      const grant = world.store.grants.get(token) ?? byRefresh(world, token);
      if (grant) revokeAll(world, grant.user);
      return {};
    }),
  );
  api.get("/oauth2/@me", (c) => {
    const grant = grantOf(world, c);
    const identified = grant.scopes.includes("identify");
    return c.json({
      application: application(world),
      scopes: grant.scopes,
      expires: new Date(grant.expires).toISOString().replace("Z", "000+00:00"),
      ...(identified && { user: userJson(userOf(world, grant.user)) }),
    });
  });
}

/** All that a person ever granted ends at once, whichever token is named. */
export function revokeAll(world: World, user: string) {
  for (const grant of world.store.grants.all())
    if (grant.user === user && !grant.revoked) world.store.put("grants", { ...grant, revoked: true });
}

function tokenFor(world: World, form: URLSearchParams) {
  const kind = form.get("grant_type");
  if (kind === "authorization_code") return byCode(world, form);
  if (kind !== "refresh_token") throw new TokenRefusal(400, "unsupported_grant_type");
  const grant = byRefresh(world, form.get("refresh_token") ?? "");
  if (!grant || grant.revoked) throw badGrant("refresh_token");
  world.store.put("grants", { ...grant, revoked: true });
  return issue(world, grant.user, grant.scopes);
}

function byCode(world: World, form: URLSearchParams) {
  const code = world.store.codes.get(form.get("code") ?? "");
  if (!code || code.used || code.expires <= world.now()) throw badGrant("code");
  // Used up by the first try, right or wrong.
  world.store.put("codes", { ...code, used: true });
  if (form.get("redirect_uri") !== code.redirect_uri) throw badGrant("redirect_uri");
  const verifier = form.get("code_verifier");
  if (code.challenge !== null && (verifier === null || challengeOf(verifier) !== code.challenge))
    throw badGrant("code_verifier");
  return issue(world, code.user, code.scopes);
}

function issue(world: World, user: string, scopes: string[]) {
  const grant = world.store.put("grants", {
    id: world.ids.secret(30),
    refresh: world.ids.secret(30),
    user,
    scopes,
    expires: world.now() + tokenSeconds * 1000,
    revoked: false,
  });
  return {
    token_type: "Bearer",
    access_token: grant.id,
    expires_in: tokenSeconds,
    refresh_token: grant.refresh,
    scope: scopes.join(" "),
  };
}

function byRefresh(world: World, token: string): OAuthGrant | undefined {
  return world.store.grants.all().find(({ refresh }) => refresh === token);
}

function mustBeClient(world: World, c: Context, form: URLSearchParams) {
  const [, basic = ""] = /^Basic (.+)$/.exec(c.req.header("authorization") ?? "") ?? [];
  const [id, secret] = basic
    ? Buffer.from(basic, "base64").toString().split(":")
    : [form.get("client_id"), form.get("client_secret")];
  const right = id === world.known.applicationId && same(secret ?? "", world.secrets.clientSecret);
  if (!right) throw new TokenRefusal(401, "invalid_client");
}

function challengeOf(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}

function same(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash("sha256").update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}

function application(world: World) {
  const flags = 0;
  return {
    id: world.known.applicationId,
    name: world.store.users.get(world.known.botId)?.username ?? "",
    icon: null,
    description: "",
    type: null,
    bot: userJson(userOf(world, world.known.botId)),
    bot_public: false,
    bot_require_code_grant: false,
    verify_key: "0".repeat(64),
    flags,
    flags_new: String(flags),
    max_participants: null,
    hook: true,
    summary: "",
  };
}
