import type { KeyObject } from "node:crypto";

/** A case of src/client/vectors.json. */
export type Case = {
  name: string;
  token: string;
  hwid: string;
  now: number;
  latest_seen: number;
  /** The shop answered with it in this very call. */
  fresh: boolean;
  expect: "valid" | "grace" | "refused";
  reason: string | null;
  /** Those that it gives at `now`. */
  features: string[];
};

/** What cases are made of. */
export type Maker = {
  claims: Record<string, unknown>;
  header: Record<string, unknown>;
  iat: number;
  token: string;
  file: string;
  valid: (name: string, given?: Partial<Case>) => Case;
  refused: (reason: string, name: string, given: Partial<Case>) => Case;
  signed: (parts: { head?: string | Buffer; payload?: string | Buffer; key?: KeyObject }) => string;
  changed: (claims: object) => string;
};

export const base64url = (text: string | Buffer) => Buffer.from(text).toString("base64url");

/** A token as the shop writes it into `license.lic`. */
export const armoured = (token: string, { end = "\n", width = 64 } = {}): string => {
  const lines = token.match(new RegExp(`.{1,${width}}`, "g")) ?? [];
  return ["-----BEGIN LICENSE FILE-----", ...lines, "-----END LICENSE FILE-----", ""].join(end);
};
