import { z } from "zod";
import { channels, platforms, systems } from "../vocabulary/builds";
import { instant, level } from "./envelope";
import { oneLine } from "../vocabulary/plain-words";
import { refusalCodes } from "../vocabulary/refusals";
import { validationCodes } from "../vocabulary/kinds";

/** Any identifier that the application reads from the machine; bounded, and stored only as a keyed hash. */
export const hwid = z.string().min(8).max(512).describe("The hardware ID, as the application computes it");
const mostOfALine = 64;
function lineOf(text: string, nothing: string): string {
  const start = oneLine(text).slice(0, mostOfALine);
  // not inside a character
  const line = start.replace(/[\ud800-\udbff]$/, "").trimEnd();
  return /[^\p{C}\p{Z}]/u.test(line) ? line : nothing;
}

/**
 * What the application reads from the machine, for owners and staff. Nobody is refused for what isn't on their screen, so
 * it is made one line, cut, and `nothing` where nothing is left.
 */
const readFromMachine = (nothing: string, description: string) =>
  z
    .string()
    .nullish()
    .transform((text) => lineOf(text ?? "", nothing))
    .describe(`${description}; made one line, cut at ${mostOfALine} characters, "${nothing}" if it is empty`);
const versionWords = "The application's own version (semver); one that can't be read is older than any";
const noVersion = "Unknown";
const version = readFromMachine(noVersion, versionWords);
/** The computer, as the application describes it. */
export const machine = {
  hwid,
  label: readFromMachine("A computer", "The computer's name, as its owner knows it"),
  os: readFromMachine("Unknown", "Its system"),
  version,
};

export const activateBody = z.object(machine);
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
  entitlement: z.object({
    type: z.string().describe("The level's id"),
    expires_at: instant.nullable().describe("null: lifetime"),
  }),
  level: level.describe("The highest that this computer has"),
  features: z.array(z.string()).describe("Those that this computer has, sorted"),
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
    .describe("With HWID_MISMATCH: when the owner may free the first seat; null: now"),
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
  version: z
    .string()
    .transform((text) => lineOf(text, noVersion))
    .optional()
    .describe(versionWords),
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
