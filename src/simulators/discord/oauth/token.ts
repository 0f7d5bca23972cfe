import type { Context, Hono } from "hono";
import { createHash } from "node:crypto";
import type { OAuthGrant } from "../rows";
import type { World } from "../world";
import { scopeMeanings } from "./request";

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

/** Exchanges codes for tokens, and revokes tokens. Source: Discord's page "OAuth2". */
export function tokenRoutes(world: World, api: Hono) {
  const answer = (does: (form: URLSearchParams) => object) => async (c: Context) => {
    const form = new URLSearchParams(await c.req.text());
    try {
      mustBeClient(world, c);
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
}

/** Ends all of the user's grants, like Discord, even if only one token is revoked. */
function revokeAll(world: World, user: string) {
  for (const grant of world.store.grants.all())
    if (grant.user === user && !grant.revoked) world.store.put("grants", { ...grant, revoked: true });
}

function tokenFor(world: World, form: URLSearchParams) {
  if (form.get("grant_type") === "client_credentials") return ownersToken(world, form);
  if (form.get("grant_type") !== "authorization_code") throw new TokenRefusal(400, "unsupported_grant_type");
  const code = world.store.codes.get(form.get("code") ?? "");
  if (!code || code.used || code.expires <= world.now()) throw badGrant("code");
  // the first attempt uses the code up, right or wrong
  world.store.put("codes", { ...code, used: true });
  if (form.get("redirect_uri") !== code.redirect_uri) throw badGrant("redirect_uri");
  const verifier = form.get("code_verifier");
  if (code.challenge !== null && (verifier === null || challengeOf(verifier) !== code.challenge))
    throw badGrant("code_verifier");
  return issue(world, code.user, code.scopes);
}

/** A token for the application's owner: https://discord.com/developers/docs/topics/oauth2#client-credentials-grant */
function ownersToken(world: World, form: URLSearchParams) {
  const scopes = (form.get("scope") ?? "").split(" ");
  if (!scopes.every((scope) => scope in scopeMeanings)) throw new TokenRefusal(400, "invalid_scope");
  const { refresh_token: _, ...answer } = issue(world, world.known.ownerId, scopes);
  return answer;
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

function mustBeClient({ known, secrets }: World, c: Context) {
  const login = Buffer.from(`${known.applicationId}:${secrets.clientSecret}`).toString("base64");
  if (c.req.header("authorization") !== `Basic ${login}`) throw new TokenRefusal(401, "invalid_client");
}

function challengeOf(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}
