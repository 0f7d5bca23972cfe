import type { World } from "../world";
import type { Authorization } from "./request";

/** A code is good for a minute, and once. */
const codeMs = 60_000;

/** Where a person is sent after saying yes. */
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

/** Where a person is sent after saying no, or the application for asking wrongly. */
export function refuse(request: Authorization, error: string): string {
  const said: Record<string, string> = {
    access_denied: "The resource owner or authorization server denied the request",
    invalid_scope: "The requested scope is invalid, unknown, or malformed.",
    invalid_request: "Invalid code_challenge_method",
  };
  return back(request, { error, error_description: said[error] ?? error });
}

function back(request: Authorization, said: Record<string, string>): string {
  const url = new URL(request.redirect_uri);
  for (const [name, value] of Object.entries(said)) url.searchParams.set(name, value);
  if (request.state !== undefined) url.searchParams.set("state", request.state);
  return url.href;
}
