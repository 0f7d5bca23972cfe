import { z } from "zod";
import { channels, platforms, systems } from "../vocabulary/builds";
import { instant } from "./envelope";
import { oneLine } from "../vocabulary/plain-words";
import { refusalCodes } from "../vocabulary/refusals";
import { validationCodes } from "../vocabulary/kinds";

/** Any identifier that the application reads from the machine; bounded, and stored only as a keyed hash. */
export const hwid = z.string().min(8).max(512).describe("The hardware ID, as the application computes it");
/** What the application reads from the machine, for owners and staff; always made one line. */
export const shownLine = z.string().max(64).overwrite(oneLine).min(1);
export const version = shownLine.describe("The application's own version (semver)");

export const activateBody = z.object({
  hwid,
  label: shownLine.describe("The computer's name, as its owner knows it"),
  os: shownLine,
  version,
});
/** A SHA-256 as base64url, in its only spelling: a second one would be a second computer. */
export const hwidHash = z
  .string()
  .regex(/^[\w-]{43}$/)
  .refine((text) => Buffer.from(text, "base64url").toString("base64url") === text);

export const validateBody = z.object({ hwid, version });
export const deactivateBody = z.object({ hwid });

/** The entitlement and its end, signed so that the application can verify it offline. */
const permit = z.object({
  token: z.string().describe("EdDSA JWT; `kid` names its key in `keys`"),
  expires_at: instant,
  grace_until: instant.describe("Until then the application may run without asking again"),
  entitlement: z.object({ type: z.string(), expires_at: instant.nullable().describe("null: lifetime") }),
});

export const valid = z.object({ status: z.literal(200), code: z.literal("VALID"), data: permit });
export const deactivated = z.object({
  status: z.literal(200),
  code: z.literal("NOT_ACTIVATED"),
  data: z.null(),
});

/** Any other answer: a validation code in capitals, or a refusal code in lower case. */
export const notValid = z.object({
  status: z.int(),
  code: z.enum([...validationCodes, ...refusalCodes]),
  data: z.string(),
  field: z.string().optional(),
  available_at: instant
    .nullable()
    .optional()
    .describe("With HWID_MISMATCH: when the owner may free the first place; null: now"),
  minimum_version: z.string().optional().describe("With UPDATE_REQUIRED"),
});

/** An RFC 7517 key set, with a `code` like every answer of these calls. */
export const keySet = z.object({
  code: z.literal("VALID"),
  keys: z.array(
    z.object({
      kty: z.literal("OKP"),
      crv: z.literal("Ed25519"),
      x: z.string(),
      kid: z.string(),
      use: z.literal("sig"),
      alg: z.literal("EdDSA"),
    }),
  ),
});

export const updateQuery = z.object({
  channel: z.enum(channels).optional(),
  version: version.optional(),
  hwid_hash: hwidHash
    .optional()
    .describe(
      "base64url(SHA-256(hwid)): the computer that a rollout draws, if the token is the account's own",
    ),
});

export const update = z.object({
  status: z.literal(200),
  code: z.literal("VALID"),
  data: z
    .object({
      version: z.string(),
      date: instant,
      title: z.string(),
      content: z.string(),
      newer: z.boolean().describe("Newer than the requested `version`"),
      required: z.boolean().describe("The requested `version` is below the minimum"),
      files: z.array(
        z.object({
          platform: z.enum(platforms),
          name: z.string(),
          url: z.string().describe("Relative to this call"),
          size: z.int(),
          sha256: z.string(),
          sha512: z.string(),
          signature: z.string(),
        }),
      ),
    })
    .nullable()
    .describe("null if nothing is published"),
});

/** An updater takes 404 for "no such feed", and anything else for a fault: https://www.electron.build/auto-update */
export const updatePlatform = z.union([
  z.enum(systems),
  z
    .string()
    .regex(/\.yml$/)
    .max(128),
]);

/** The account's device, as the dashboard shows it. */
export const device = z
  .object({
    label: z.string(),
    os: z.string(),
    version: z.string().nullable().describe("null if it was never online"),
    active: z.boolean().describe("false if the application was deactivated on it"),
    first_seen: instant,
    last_seen: instant,
  })
  .nullable();

export type Device = z.infer<typeof device>;
