import { createHmac, randomBytes } from "node:crypto";

/**
 * Standard Webhooks 1.0.0, symmetric signatures `v1`:
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */

const prefix = "whsec_";

/** A new secret for an endpoint: `whsec_` and 32 random bytes in base64. */
export const newSecret = (): string => prefix + randomBytes(32).toString("base64");

export type SignedContent = {
  /** The event's id, the same at every try; without a full stop, which separates what is signed. */
  id: string;
  /** When this try begins. */
  timestamp: Date;
  /** Exactly the text that is sent. */
  body: string;
  /** The endpoint's secrets; each signs, so that a receiver may have either while they are exchanged. */
  secrets: readonly string[];
};

/** The three headers by which a receiver knows that the shop sent this body, when, and for which event. */
export function signatureHeaders({ id, timestamp, body, secrets }: SignedContent) {
  if (id.includes(".") || secrets.length === 0) throw new Error("an id without a full stop, and a secret");
  const seconds = Math.floor(timestamp.getTime() / 1000);
  const content = `${id}.${seconds}.${body}`;
  return {
    "webhook-id": id,
    "webhook-timestamp": String(seconds),
    "webhook-signature": secrets.map((secret) => `v1,${sign(secret, content)}`).join(" "),
  };
}

function sign(secret: string, content: string): string {
  const key = Buffer.from(secret.replace(prefix, ""), "base64");
  return createHmac("sha256", key).update(content).digest("base64");
}
