import { type Context, Hono } from "hono";
import { controlRoutes } from "../base/actions";
import { assets, type Content, pageHeaders } from "../base/page";
import { mailActions } from "./actions";
import type { Faults } from "./faults";
import type { Mailbox, StoredMessage } from "./mailbox";
import type { Designs } from "./designs";
import { htmlPart, schemeOf } from "./html-part";
import { designsPage, listPage, messagePage, missingPage } from "./pages";

/**
 * The mailbox page, which forbids scripts so that no email can run one; a page of all designs, if there are any; the
 * report of messages, and the actions.
 */
export function mailApp(mailbox: Mailbox, faults: Faults, designs: Designs | null): Hono {
  const app = new Hono();
  app.get("/", (c) => {
    const to = c.req.query("to") ?? "";
    return show(c, listPage(mailbox.list(to), { to, hasDesigns: designs !== null }));
  });
  const one = (path: string, answer: (c: Context, message: StoredMessage) => Response | Promise<Response>) =>
    app.get(path, (c) => {
      const message = mailbox.find(c.req.param("id") ?? "");
      return message ? answer(c, message) : show(c, missingPage(), 404);
    });
  one("/messages/:id", (c, message) => show(c, messagePage(message)));
  one("/messages/:id/html", (c, message) => htmlPart(message, schemeOf(c.req.query("scheme"))));
  one("/messages/:id/raw", (c, { raw }) => {
    pageHeaders(c);
    return c.body(Buffer.from(raw, "latin1"), 200, { "content-type": "text/plain; charset=utf-8" });
  });
  app.get("/designs", async (c) => (designs ? show(c, designsPage(await designs.list())) : c.notFound()));
  app.get("/designs/:id/html", async (c) => {
    const design = await designs?.find(c.req.param("id"));
    return design ? htmlPart(design, schemeOf(c.req.query("scheme"))) : c.notFound();
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
