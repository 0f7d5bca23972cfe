import { z } from "zod";
import { machine } from "./application";
import { instant, level } from "./envelope";
import { proofs } from "./security";

/** The calls of RFC 8628: an application asks for a code, and asks again until somebody approved it. */

export const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";

export const codeBody = z.object({
  client_id: z.string().max(255).optional().describe("Ignored: there is one application"),
  ...machine,
});

export const codes = z.object({
  device_code: z.string().describe("For the application alone"),
  user_code: z.string().describe("For the person: XXXX-XXXX"),
  verification_uri: z.url(),
  verification_uri_complete: z.url().describe("The same with the code in it"),
  expires_in: z.int().describe("Seconds"),
  interval: z.int().describe("Seconds between two polls"),
});

export const tokenBody = z.object({
  grant_type: z.string().max(255).describe(deviceGrant),
  device_code: z.string().min(1).max(255),
  client_id: z.string().max(255).optional(),
});

export const accessToken = z.object({ access_token: z.string(), token_type: z.literal("bearer") });

export const oauthErrors = [
  "invalid_request",
  "unsupported_grant_type",
  "authorization_pending",
  "slow_down",
  "access_denied",
  "expired_token",
  "invalid_grant",
  "temporarily_unavailable",
  "server_error",
] as const;

export const oauthRefusal = z.object({ error: z.enum(oauthErrors) });
export type OAuthError = (typeof oauthErrors)[number];

/** What a person types or a link brings: wrong ones count, whatever is wrong with them. */
const userCode = z.string().min(1).max(64).describe("In any case, with or without dashes and spaces");

export const signInQuery = z.object({ user_code: userCode });
export const signInDecision = z.object({ user_code: userCode, approve: z.boolean(), ...proofs });

export const signInRequest = z.object({
  label: z.string(),
  os: z.string(),
  version: z.string(),
  address: z.string().describe("Where the application asked from"),
  created_at: instant,
  expires_at: instant,
});
export type SignInRequest = z.infer<typeof signInRequest>;

export const me = z.object({
  status: z.literal(200),
  code: z.literal("VALID"),
  data: z.object({
    username: z.string(),
    offer: z
      .string()
      .nullable()
      .describe(
        "Of the licence with the highest level, then the most seats, then the longest; null without one",
      ),
    type: z.string().nullable().describe("Its level's id"),
    level: level
      .nullable()
      .describe("The highest that the token's computer has, or the account; null without one"),
    features: z
      .array(z.string())
      .describe("Those that the token's computer has, or the account with its own token; sorted"),
    expires_at: instant.nullable().describe("null: lifetime, or no licence"),
    devices: z.object({
      used: z.int().describe("Computers that the account keeps"),
      places: z.int().describe("How many it may have"),
    }),
  }),
});
