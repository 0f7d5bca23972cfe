import { renderToStaticMarkup } from "react-dom/server";
import type { ReactElement } from "react";
import { type Faults, faultBody } from "./faults";
import type { Mailbox } from "./mailbox";
import type { StoredMessage } from "./message";
import { ListPage, MessagePage, MissingPage, pageSize } from "./pages";
import { stylesheet } from "./stylesheet";

type Options = { host: string; port: number; mailbox: Mailbox; faults: Faults };

/** The mailbox page and its JSON. The page has no script, so that no mail can run one. */
export async function listenHttp({ host, port, mailbox, faults }: Options) {
  const list = (request: Request) => mailbox.list(query(request, "to"));

  const server = Bun.serve({
    hostname: host,
    port,
    development: false,
    routes: {
      "/": (request) => {
        const to = query(request, "to") ?? "";
        const from = Math.max(0, Math.trunc(Number(query(request, "from"))) || 0);
        const all = list(request);
        return page(
          <ListPage messages={all.slice(from, from + pageSize)} all={all.length} {...{ from, to }} />,
        );
      },
      "/style.css": () => new Response(stylesheet, { headers: headers("text/css") }),
      "/messages/:id": ({ params }) => one(params.id, (message) => page(<MessagePage message={message} />)),
      "/messages/:id/html": ({ params }) => one(params.id, htmlPart),
      "/messages/:id/raw": ({ params }) =>
        one(
          params.id,
          ({ raw }) => new Response(Buffer.from(raw, "latin1"), { headers: headers("text/plain") }),
        ),
      "/clear": { POST: (request) => fromHere(request, () => cleared(mailbox, seeOther("/"))) },
      "/api/messages": {
        GET: (request) => json({ messages: list(request) }),
        DELETE: (request) => fromHere(request, () => cleared(mailbox, json({ messages: [] }))),
      },
      "/api/messages/:id": ({ params }) => {
        const message = mailbox.find(params.id);
        return message ? json(message) : json({ error: "no such message" }, 404);
      },
      "/api/faults": {
        GET: () => json(faults.current()),
        POST: (request) => fromHere(request, () => setFaults(request, faults)),
      },
    },
    fetch: () => page(<MissingPage />, 404),
  });
  return { port: server.port ?? port, stop: () => server.stop(true) };

  function one(id: string, show: (message: StoredMessage) => Response) {
    const message = mailbox.find(id);
    return message ? show(message) : page(<MissingPage />, 404);
  }
}

/**
 * The mail's HTML in a sandbox: no script, no form, nothing loaded from elsewhere. Links may be followed, each in a
 * new tab outside the sandbox.
 */
function htmlPart({ html }: StoredMessage) {
  const base = '<base target="_blank">';
  // inside the head, as anything before the doctype would turn standards mode off
  const written = html ?? "";
  const head = /<head(?=[\s>])[^>]*>/i.exec(written);
  const at = head ? head.index + head[0].length : 0;
  const body = written.slice(0, at) + base + written.slice(at);
  const policy =
    "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; " +
    "img-src data:; form-action 'none'; frame-ancestors 'self'";
  return new Response(body, { headers: { ...headers("text/html"), "content-security-policy": policy } });
}

/** Another site in the same browser must not clear the mailbox or set faults. */
async function fromHere(request: Request, answer: () => Promise<Response>) {
  const site = request.headers.get("sec-fetch-site") ?? "none";
  return site === "same-origin" || site === "none" ? answer() : json({ error: "cross-site" }, 403);
}

async function setFaults(request: Request, faults: Faults) {
  const wanted = faultBody.safeParse(await request.json().catch(() => undefined));
  if (!wanted.success) return json({ error: wanted.error.issues.map((issue) => issue.message) }, 400);
  faults.set(wanted.data);
  return json(faults.current());
}

async function cleared(mailbox: Mailbox, answer: Response) {
  await mailbox.clear();
  return answer;
}

const query = (request: Request, name: string) => new URL(request.url).searchParams.get(name) ?? undefined;
const seeOther = (location: string) => new Response(null, { status: 303, headers: { location } });
const json = (body: unknown, status = 200) =>
  Response.json(body, { status, headers: headers("application/json") });

function page(content: ReactElement, status = 200) {
  return new Response(`<!doctype html>${renderToStaticMarkup(content)}`, {
    status,
    headers: headers("text/html"),
  });
}

const headers = (type: string) => ({
  "content-type": `${type}; charset=utf-8`,
  "content-security-policy":
    "default-src 'none'; style-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
});
