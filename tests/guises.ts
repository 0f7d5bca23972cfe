/**
 * How a secret looks that was written in another way: percent-encoded, in hex, or anywhere within base64. One
 * that is given as bytes is sought in these ways alone.
 */
export function guisesOf(secret: string | Buffer): string[] {
  const bytes = Buffer.from(secret);
  const plain = typeof secret === "string" ? [secret, encodeURIComponent(secret)] : [];
  const ways = [...plain, bytes.toString("hex"), ...withinBase64(bytes)];
  return [...new Set([...ways, ...ways.map((way) => way.replaceAll("+", "-").replaceAll("/", "_"))])];
}

/** What of the encoded text is these bytes' alone, for each of the three places where they may begin. */
function withinBase64(bytes: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]);
    const text = whole.toString("base64").replace(/=+$/, "");
    const shared = whole.length % 3 === 0 ? 0 : 1;
    return text.slice([0, 2, 3][before], text.length - shared);
  });
}
