import { type Context, Hono } from "hono";
import { controlRoutes } from "../actions";
import { assets, type Content, pageHeaders } from "../page";
import { mailActions } from "./actions";
import type { Faults } from "./faults";
import type { Mailbox, StoredMessage } from "./mailbox";
import { listPage, messagePage, missingPage } from "./pages";

/** The mailbox page, which forbids scripts so that no email can run one; the report of messages, and the actions. */
export function mailApp(mailbox: Mailbox, faults: Faults): Hono {
  const app = new Hono();
  app.get("/", (c) => {
    const to = c.req.query("to") ?? "";
    return show(c, listPage(mailbox.list(to), to));
  });
  const one = (path: string, answer: (c: Context, message: StoredMessage) => Response | Promise<Response>) =>
    app.get(path, (c) => {
      const message = mailbox.find(c.req.param("id") ?? "");
      return message ? answer(c, message) : show(c, missingPage(), 404);
    });
  one("/messages/:id", (c, message) => show(c, messagePage(message)));
  one("/messages/:id/html", (_c, message) => htmlPart(message));
  one("/messages/:id/raw", (c, { raw }) => {
    pageHeaders(c);
    return c.body(Buffer.from(raw, "latin1"), 200, { "content-type": "text/plain; charset=utf-8" });
  });
  app.route("/", assets(import.meta.dir, ["mail.css"]));
  const reports = { messages: (c: Context) => ({ messages: mailbox.list(c.req.query("to")) }) };
  app.route("/", controlRoutes(mailActions(mailbox, faults), reports));
  app.notFound((c) => show(c, missingPage(), 404));
  return app;
}

function show(c: Context, content: Content, status: 200 | 404 = 200) {
  pageHeaders(c);
  return c.html(content, status);
}

/**
 * The email's HTML in a sandbox: no script, no form, nothing loaded from elsewhere. Links open in a new tab outside
 * the sandbox.
 */
function htmlPart({ html }: StoredMessage): Response {
  const written = html ?? "";
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
