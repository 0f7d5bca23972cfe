import { z } from "zod";
import { channels, platforms, systems } from "./builds";
import { instant } from "./envelope";
import { refusalCodes } from "./refusals";
import { verdictCodes } from "./verdicts";

/** Whatever the application reads off the machine; bounded, and stored only as a keyed hash. */
const hwid = z.string().min(8).max(512).describe("The hardware ID, as the application computes it");
const version = z.string().min(1).max(64).describe("The application's own version (semver)");

export const activateBody = z.object({
  hwid,
  label: z.string().min(1).max(64).describe("How the owner knows the computer"),
  os: z.string().min(1).max(64),
  version,
});
export const validateBody = z.object({ hwid, version });
export const deactivateBody = z.object({ hwid });

/** What a valid answer carries: who may do what until when, signed for checking without the network. */
const permit = z.object({
  token: z.string().describe("EdDSA JWT; the key is at `keys`, by `kid`"),
  expires_at: instant,
  grace_until: instant.describe("Until then the application may go on without asking"),
  entitlement: z.object({ type: z.string(), expires_at: instant.nullable().describe("null: lifetime") }),
});

export const valid = z.object({ status: z.literal(200), code: z.literal("VALID"), data: permit });
export const deactivated = z.object({
  status: z.literal(200),
  code: z.literal("NOT_ACTIVATED"),
  data: z.null(),
});

/** An answer that is not valid: a verdict in capitals, or in small letters that there is no verdict. */
export const notValid = z.object({
  status: z.int(),
  code: z.enum([...verdictCodes, ...refusalCodes]),
  data: z.string(),
  field: z.string().optional(),
  available_at: instant.optional().describe("With HWID_MISMATCH: when the owner may reset the device"),
  minimum_version: z.string().optional().describe("With UPDATE_REQUIRED"),
});

/** RFC 7517 key set; `code` stands beside the keys because every answer here has one. */
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
      newer: z.boolean().describe("Newer than the `version` asked with"),
      required: z.boolean().describe("The `version` asked with is below the minimum"),
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
    .describe("null: nothing is published"),
});

export const updatePlatform = z.union([
  z.enum(systems),
  z.string().regex(/^(latest|beta|alpha)(-mac|-linux)?\.yml$/),
]);

/** The account's device, for its card in the dashboard. */
export const device = z
  .object({
    label: z.string(),
    os: z.string(),
    version: z.string(),
    active: z.boolean().describe("false: the application was deactivated on it"),
    first_seen: instant,
    last_seen: instant,
  })
  .nullable();

export type Device = z.infer<typeof device>;
