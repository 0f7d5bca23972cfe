import { z } from "zod";
import { discordId } from "@/contract/wire/discord";
import type { DiscordConfig } from "@/core/settings/config";
import { CodeRefused, type SignOn, SignOnUnreachable, type Tokens } from "@/domain/discord/sign-on";

/** Short, because a person is waiting for the answer. */
const timeoutMilliseconds = 8_000;

const tokenAnswer = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().optional(),
  scope: z.string(),
});
const userAnswer = z.object({
  id: z.string().regex(discordId),
  username: z.string(),
  global_name: z.string().nullish(),
});

/** Discord's OAuth2: https://discord.com/developers/docs/topics/oauth2 */
export function createSignOn(config: DiscordConfig, redirectUri: string): SignOn {
  const base = baseOf(config);
  const form = (path: string, fields: Record<string, string>) => asClient(config, path, fields);
  return {
    authorizeUrl({ state, challenge }) {
      const query = new URLSearchParams({
        client_id: config.clientId,
        response_type: "code",
        redirect_uri: redirectUri,
        scope: "identify guilds.join",
        state,
        code_challenge: challenge,
        code_challenge_method: "S256",
      });
      // this page is outside the API: https://discord.com/oauth2/authorize
      return `${base.replace(/\/api$/, "")}/oauth2/authorize?${query}`;
    },
    async exchange(code, verifier): Promise<Tokens> {
      const answer = await form("/oauth2/token", {
        grant_type: "authorization_code",
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
      });
      const { access_token: access, refresh_token: refresh, scope } = read(tokenAnswer, answer);
      return { access, refresh: refresh ?? null, scopes: scope.split(" ") };
    },
    async fetchUser({ access }) {
      const answer = await ask(`${base}/v10/users/@me`, {
        headers: { authorization: `Bearer ${access}` },
      });
      const { id, username, global_name: shown } = read(userAnswer, answer);
      return { id, displayName: shown || username };
    },
    async revoke({ access, refresh }) {
      for (const [token, hint] of [
        [refresh, "refresh_token"],
        [access, "access_token"],
      ] as const) {
        // after the token expired or the client secret changed, there is nothing to revoke
        if (token) await form("/oauth2/token/revoke", { token, token_type_hint: hint });
      }
    },
  };
}

/**
 * Whether Discord knows the application's id and secret. Asks for a token that only identifies the application's
 * owner, and does not revoke it: that would end all tokens that the owner gave the application.
 * https://discord.com/developers/docs/topics/oauth2#client-credentials-grant
 */
export async function acceptsClient(config: Client): Promise<boolean> {
  const asked = { grant_type: "client_credentials", scope: "identify" };
  const { status, body } = await asClient(config, "/oauth2/token", asked);
  return status !== 401 && !refusedClient.safeParse(body).success;
}

const refusedClient = z.object({ error: z.literal("invalid_client") });

type Client = Pick<DiscordConfig, "apiUrl" | "clientId" | "clientSecret">;

const baseOf = ({ apiUrl }: Pick<Client, "apiUrl">) =>
  (apiUrl?.href ?? "https://discord.com/api").replace(/\/+$/, "");

/** Sends a form as the application. */
function asClient(config: Client, path: string, fields: Record<string, string>): Promise<Answer> {
  const client = Buffer.from(`${config.clientId}:${config.clientSecret}`).toString("base64");
  return ask(`${baseOf(config)}/v10${path}`, {
    method: "POST",
    headers: { authorization: `Basic ${client}`, "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields).toString(),
  });
}

type Answer = { status: number; body: unknown };

/** Discord's answer; throws if there was none, or if it asks to try again (429, 5xx). */
async function ask(url: string, init: RequestInit): Promise<Answer> {
  try {
    const signal = AbortSignal.timeout(timeoutMilliseconds);
    const response = await fetch(url, { ...init, signal, redirect: "error" });
    const body: unknown = await response.json().catch(() => null);
    if (response.status === 429 || response.status >= 500) throw new SignOnUnreachable();
    return { status: response.status, body };
  } catch (error) {
    if (error instanceof SignOnUnreachable) throw error;
    throw new SignOnUnreachable("no answer", { cause: error });
  }
}

function read<S extends z.ZodType>(schema: S, { status, body }: Answer): z.output<S> {
  if (status >= 400) throw new CodeRefused();
  const parsed = schema.safeParse(body);
  // something other than Discord answered, such as a proxy
  if (!parsed.success) throw new SignOnUnreachable();
  return parsed.data;
}
