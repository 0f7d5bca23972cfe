import { Hono } from "hono";
import { html } from "hono/html";
import { assets, type Content, document, pageHeaders } from "../base/page";
import type { Codes, Entries } from "./entries";

/** The page of codes. */
export function authenticatorApp(entries: Entries): Hono {
  const app = new Hono();
  app.get("/", async (c) => {
    pageHeaders(c);
    c.header("Refresh", String(entries.secondsLeft()));
    return c.html(page(await entries.codes(), entries.secondsLeft()));
  });
  app.route("/", assets(import.meta.dir, ["authenticator.css"]));
  return app;
}

const page = (codes: Codes[], secondsLeft: number) =>
  document(
    "Authenticator",
    html`<div class="sheet">
      <header class="row">
        <h1>Authenticator</h1>
        <span class="quiet">simulator, nothing leaves this machine</span>
      </header>
      <main>
        <p>
          New codes in ${secondsLeft} seconds; this page shows them by itself. A code works once, so the links
          bring the next one, which is accepted already.
        </p>
        ${codes.length === 0 ? html`<p>No secrets yet.</p>` : codes.map(card)}
      </main>
    </div>`,
    { sheets: ["page.css", "authenticator.css"] },
  );

const card = ({ name, code, next, url }: Codes): Content =>
  html`<section class="card row" aria-label="${name}">
    <h2>${name}</h2>
    <output>${code}</output>
    ${
      url === undefined
        ? ""
        : html`<a class="button" href="${withCode(url, next)}">Open ${new URL(url).pathname} with ${next}</a>`
    }
  </section>`;

function withCode(url: string, code: string): string {
  const link = new URL(url);
  link.hash = `code=${code}`;
  return link.href;
}
