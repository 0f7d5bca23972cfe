import { z } from "zod";
import type { World } from "../world";

/** What an application asks of a person. */
export const authorization = z.object({
  client_id: z.string(),
  redirect_uri: z.url(),
  response_type: z.literal("code"),
  scope: z.string().min(1),
  state: z.string().optional(),
  code_challenge: z.string().min(43).max(128).optional(),
  code_challenge_method: z.enum(["S256", "plain"]).optional(),
  prompt: z.string().optional(),
});
export type Authorization = z.infer<typeof authorization>;

const scopesKnown = ["identify", "guilds", "guilds.join", "email", "connections"];

/** `problem` is told on the page: to whom would one send it? `refusal` is told to the application. */
export type Judgement =
  { problem: string } | { request: Authorization; refusal: string | null; scopes: string[] };

export function judge(world: World, query: Record<string, string>): Judgement {
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
  const known = scopes.every((scope) => scopesKnown.includes(scope));
  const pkce = request.code_challenge === undefined || request.code_challenge_method === "S256";
  return { request, scopes, refusal: known ? (pkce ? null : "invalid_request") : "invalid_scope" };
}
