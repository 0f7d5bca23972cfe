import { z } from "zod";
import type { World } from "../world";

/** The query of the authorize page. */
const authorization = z.object({
  client_id: z.string(),
  redirect_uri: z.url(),
  response_type: z.literal("code"),
  scope: z.string().min(1),
  state: z.string().optional(),
  code_challenge: z.string().min(43).max(128).optional(),
  code_challenge_method: z.literal("S256").optional(),
  prompt: z.string().optional(),
});
export type Authorization = z.infer<typeof authorization>;

/** The scopes that the simulator knows, in Discord's words. */
export const scopeMeanings: Record<string, string> = {
  identify: "Access your username and avatar",
  "guilds.join": "Join servers for you",
};

/**
 * The page shows a `problem`, because there is no valid address to redirect to; a refusal redirects to the
 * application.
 */
type AuthorizationCheck =
  { problem: string } | { redirect: string } | { request: Authorization; scopes: string[] };

export function checkAuthorization(world: World, query: Record<string, string>): AuthorizationCheck {
  const parsed = authorization.safeParse(query);
  if (!parsed.success) {
    const field = String(parsed.error.issues[0]?.path[0] ?? "request");
    return { problem: `Invalid Form Body: ${field}` };
  }
  const request = parsed.data;
  if (request.client_id !== world.known.applicationId) return { problem: "Unknown Application" };
  if (world.redirectUris.length > 0 && !world.redirectUris.includes(request.redirect_uri))
    return { problem: "Invalid OAuth2 redirect_uri" };
  const scopes = request.scope.split(/[ +]/).filter((scope) => scope !== "");
  if (!scopes.every((scope) => scope in scopeMeanings)) return { redirect: refuse(request, "invalid_scope") };
  return { request, scopes };
}

/** A code is valid once, for a minute. */
const codeMs = 60_000;

/** The redirect after approval. */
export function approve(world: World, request: Authorization, user: string, scopes: string[]): string {
  const code = world.ids.secret(30);
  world.store.put("codes", {
    id: code,
    user,
    scopes,
    redirect_uri: request.redirect_uri,
    challenge: request.code_challenge ?? null,
    expires: world.now() + codeMs,
    used: false,
  });
  return back(request, { code });
}

/** The redirect after a refusal or an invalid request. */
export const refuse = (request: Authorization, error: keyof typeof refusals): string =>
  back(request, { error, error_description: refusals[error] });

const refusals = {
  access_denied: "The resource owner or authorization server denied the request",
  invalid_scope: "The requested scope is invalid, unknown, or malformed.",
};

function back(request: Authorization, answer: Record<string, string>): string {
  const url = new URL(request.redirect_uri);
  for (const [name, value] of Object.entries(answer)) url.searchParams.set(name, value);
  if (request.state !== undefined) url.searchParams.set("state", request.state);
  return url.href;
}
