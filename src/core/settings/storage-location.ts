import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** Credentials and host of a bucket, from the settings that S3 tools share. */
export type BucketAccess = {
  endpoint: string | undefined;
  region: string | undefined;
  accessKeyId: string;
  secretAccessKey: string;
};
export type Bucket = BucketAccess & {
  bucket: string;
  /** Without leading or trailing slashes; may be empty. */
  prefix: string;
};
/** Where files are kept: a folder on this machine, or a bucket. */
export type StorageLocation = { folder: string } | Bucket;

/** The ways to write a location: a path, `file:///path` or `s3://bucket/prefix`. */
export const locationPattern = /^(s3:\/\/[a-z0-9][a-z0-9.-]+(\/[\w./-]*)?|(?!\w+:\/\/).+|file:\/\/\/.+)$/;

/** Whether a text that matches {@link locationPattern} is a bucket, or a path without control characters. */
export function isPlainLocation(text: string): boolean {
  try {
    const location = parseLocation(text, null);
    return location === null || !("folder" in location) || !/\p{Cc}/u.test(location.folder);
  } catch {
    return false;
  }
}

/** Parses a text that matches {@link locationPattern}; null for a bucket without credentials. */
export function parseLocation(text: string, access: BucketAccess | null): StorageLocation | null {
  if (!text.startsWith("s3://")) {
    return { folder: text.startsWith("file:") ? fileURLToPath(text) : resolve(text) };
  }
  const [, bucket = "", prefix = ""] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(text) ?? [];
  return access && { ...access, bucket, prefix: prefix.replace(/^\/+|\/+$/g, "") };
}

/** The path of a `file:` URL; null for a server. */
export const fileOf = (url: string) => (url.startsWith("file:") ? fileURLToPath(new URL(url)) : null);
