import PostalMime from "postal-mime";
import type { StoredMessage } from "./mailbox";

/** The colour scheme of the mail program that shows an email; by default, the browser's. */
export type Scheme = "light" | "dark";
export const schemeOf = (text: string | undefined): Scheme | undefined =>
  text === "light" || text === "dark" ? text : undefined;

/**
 * The email's HTML in a sandbox: no script, no form, nothing loaded from elsewhere; the pictures within the email are
 * shown. Links open in a new tab outside the sandbox.
 */
export async function htmlPart({ html, raw }: StoredMessage, scheme?: Scheme): Promise<Response> {
  const written = inScheme(await withPictures(html ?? "", raw), scheme);
  // inside the head, because text before the doctype would turn standards mode off
  const head = /<head(?=[\s>])[^>]*>/i.exec(written);
  const at = head ? head.index + head[0].length : 0;
  const body = `${written.slice(0, at)}<base target="_blank">${written.slice(at)}`;
  const policy =
    "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; " +
    "img-src data:; form-action 'none'; frame-ancestors 'self'";
  return new Response(body, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
    },
  });
}

/** RFC 2392: `cid:` URLs name parts of the same message. */
async function withPictures(html: string, raw: string): Promise<string> {
  if (!html.includes("cid:")) return html;
  const { attachments } = await PostalMime.parse(Buffer.from(raw, "latin1"), {
    attachmentEncoding: "base64",
  });
  let shown = html;
  for (const { contentId, mimeType, content } of attachments) {
    const id = contentId?.slice(1, -1);
    if (id && typeof content === "string" && /^image\/[\w.+-]+$/.test(mimeType)) {
      shown = shown.replaceAll(`"cid:${id}"`, `"data:${mimeType};base64,${content}"`);
    }
  }
  return shown;
}

/** Answers the email's media queries as a mail program in that scheme does. */
const inScheme = (html: string, scheme: Scheme | undefined) =>
  scheme === undefined
    ? html
    : html.replace(/\(\s*prefers-color-scheme\s*:\s*(light|dark)\s*\)/gi, (_, asked: string) =>
        asked.toLowerCase() === scheme ? "(min-width:0)" : "(max-width:0)",
      );
