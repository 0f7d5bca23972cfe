import { z } from "zod";
import { paidPlatforms, platforms } from "../vocabulary/builds";
import { instant } from "./envelope";

export const changelogEntry = z.object({ date: instant, title: z.string(), content: z.string() });

/** Bytes, or null if the current release has no such file. */
export const fileSizes = z.record(z.enum(paidPlatforms), z.int().nullable());

export const build = z.object({
  name: z.string().describe("The file's name"),
  path: z.string().describe("The call that serves it"),
  size: z.int().describe("Bytes"),
  sha256: z.string().describe("Hexadecimal"),
  sha512: z.string().describe("Base64"),
  signature: z.string().describe("Ed25519 over the 64 bytes of the SHA-512, base64"),
});

export const currentRelease = z.object({
  version: z.string(),
  date: instant,
  title: z.string(),
  content: z.string(),
  signing_key: z.string().describe("The public key that verifies the signatures, as PEM"),
  builds: z.record(z.enum(platforms), build.nullable()),
});

export const downloadLinkBody = z.object({
  file: z.enum(paidPlatforms).optional().describe("The file that the page then offers first"),
});
export const downloadLinkMailed = z.object({
  email: z.string().describe("The address that it was mailed to"),
});

export type ChangelogEntry = z.infer<typeof changelogEntry>;
export type FileSizes = z.infer<typeof fileSizes>;
export type Build = z.infer<typeof build>;
export type CurrentRelease = z.infer<typeof currentRelease>;
