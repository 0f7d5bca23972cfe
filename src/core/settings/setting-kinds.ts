import { z } from "zod";
import { discordId } from "@/contract/wire/discord";
import { timezone } from "@/contract/wire/envelope";
import { limitTable } from "@/contract/vocabulary/limits";
import { isPlainLocation, locationPattern } from "./storage-location";

export const text = { schema: z.string(), expected: "a text" };
/** An origin has no path, because every route starts at the root of its host. */
export const origin = {
  shown: true as const,
  schema: z
    .url({ protocol: /^https?$/ })
    .refine((value) => URL.canParse(value) && new URL(value).href === `${new URL(value).origin}/`)
    // it stands in a proxy's configuration
    .refine((value) => URL.canParse(value) && /^([\w.-]+|\[[\da-f:.]+\])$/.test(new URL(value).hostname)),
  expected: "an http:// or https:// address without a path",
};
export const timeZone = {
  shown: true as const,
  schema: timezone,
  expected: "an IANA time zone, such as Europe/Berlin",
};
export const webAddress = {
  shown: "address" as const,
  schema: z.url({ protocol: /^https?$/ }),
  expected: "an http:// or https:// address",
};
export const location = {
  shown: true as const,
  schema: z.string().regex(locationPattern).refine(isPlainLocation),
  expected: "a folder or s3://bucket/prefix",
};
export const key = {
  schema: z.string().refine((value) => Buffer.from(value, "base64").length === 32),
  expected: "32 bytes in base64",
};
/** https://discord.com/developers/docs/reference#snowflakes */
export const discordsId = {
  shown: true as const,
  schema: z.string().regex(discordId),
  expected: "a Discord id",
};
export const byStripe = {
  shown: true as const,
  schema: z.enum(["off", "stripe"]),
  expected: '"off" or "stripe"',
  byDefault: "off",
};
/** A login shell sets MAIL to the path of a mailbox, which means nothing to the shop. */
export const offUnlessPath = z.preprocess(
  (given) => (typeof given === "string" && given.startsWith("/") ? undefined : given),
  z.literal("off").optional(),
);
export const off = { shown: true as const, schema: z.literal("off"), expected: '"off" or absent' };
export const trueOrFalse = {
  shown: true as const,
  schema: z.enum(["true", "false"]),
  expected: '"true" or "false"',
};
export const wholeNumber = (min: number, max: number) => ({
  shown: true as const,
  schema: z.coerce.number().int().min(min).max(max),
  expected: `a whole number from ${min} to ${max}`,
});
const limitNames = new Set(Object.keys(limitTable({})));
export const limitList = {
  shown: true as const,
  schema: z
    .string()
    .regex(/^([\w-]+=\d+\/\d+(,|$))*$/)
    .refine((list) => list.split(",").every((one) => one === "" || limitNames.has(one.replace(/=.*/, "")))),
  expected: "a list like login-address=10/60,verify=30/60, of limits that exist",
};
const currencies = new Set(Intl.supportedValuesOf("currency").map((code) => code.toLowerCase()));
export const currency = {
  shown: true as const,
  schema: z.string().refine((code) => currencies.has(code)),
  expected: "a currency of three small letters, such as usd",
};
/** A request header can't hold other characters. */
const printable = /^[\x21-\x7e]+$/;
export const bearerToken = {
  schema: z.string().regex(printable).min(16),
  expected: "at least 16 ASCII characters without spaces",
};
export const region = {
  shown: true as const,
  schema: z.string().regex(printable),
  expected: "a region, such as eu-central-1",
};
export const foreignCharacters = "has characters that no key has: copy it again";
const copied = z.string().regex(printable, foreignCharacters);
export const copiedKey = { schema: copied, expected: "a key" };
export const copiedKeyLike = (form: RegExp, expected: string) => ({ schema: copied.regex(form), expected });

/** Whether the login in a URL can be read: a % that begins no escape can't. */
export function canDecodeLogin(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  try {
    decodeURIComponent(`${username}:${password}`);
    return true;
  } catch {
    return false;
  }
}
