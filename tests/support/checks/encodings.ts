/**
 * The forms in which a secret may leak: plain, percent-encoded, in hex, or anywhere inside base64. A secret given
 * as bytes has no plain form.
 */
export function encodingsOf(secret: string | Buffer): string[] {
  const bytes = Buffer.from(secret);
  const plain = typeof secret === "string" ? [secret, encodeURIComponent(secret)] : [];
  const forms = [...plain, bytes.toString("hex"), ...withinBase64(bytes)];
  return [...new Set([...forms, ...forms.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"))])];
}

/** The base64 characters that depend on these bytes alone, for each of the three offsets at which they may start. */
function withinBase64(bytes: Buffer): string[] {
  return [0, 1, 2].map((offset) => {
    const padded = Buffer.concat([Buffer.alloc(offset), bytes]);
    const text = padded.toString("base64").replace(/=+$/, "");
    const shared = padded.length % 3 === 0 ? 0 : 1;
    return text.slice([0, 2, 3][offset], text.length - shared);
  });
}
