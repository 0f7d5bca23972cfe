import { html } from "hono/html";
import { actionForm } from "../base/actions";
import { type Content, document } from "../base/page";
import type { MailActions } from "./actions";
import type { StoredMessage } from "./mailbox";

/** How many messages the page lists; the filter finds a recipient's older messages. */
const shown = 100;

const form = actionForm<MailActions>();

export function listPage(
  messages: StoredMessage[],
  { to, hasDesigns }: { to: string; hasDesigns: boolean },
): Content {
  const all = messages.length;
  return page(
    "Mailbox",
    html`<search>
        <form class="row">
          <input type="search" name="to" value="${to}" placeholder="Recipient" aria-label="Recipient" />
          <button>Filter</button>
          <a class="button plain" href="/?${new URLSearchParams({ to })}">Refresh</a>
        </form>
      </search>
      <p class="quiet">
        ${all} ${all === 1 ? "message" : "messages"}${to ? html` to ${to} · <a href="/">all</a>` : ""}
      </p>
      ${hasDesigns ? html`<p><a href="/designs">Every email that the shop can send</a>, light and dark</p>` : ""}
      ${all === 0 ? html`<p>No mail yet. What the shop sends appears here.</p>` : ""}
      <ol class="list">
        ${messages.slice(0, shown).map(listedMessage)}
      </ol>
      ${all > 0 && !to ? form("clear", {}, html`<button class="danger">Delete all mail</button>`) : ""}`,
  );
}

function listedMessage({ id, subject, envelope, receivedAt }: StoredMessage): Content {
  return html`<li>
    <a href="/messages/${id}">
      <strong>${subject || "(no subject)"}</strong><br />
      <span class="quiet">to ${envelope.to.join(", ")}</span> ${time(receivedAt)}
    </a>
  </li>`;
}

export function messagePage(message: StoredMessage): Content {
  const { id, subject, from, to, envelope, headers, text } = message;
  return page(
    subject || "(no subject)",
    html`<dl class="facts">
        ${fact("From", from)} ${fact("To", to)} ${fact("Delivered to", envelope.to.join(", "))}
        ${fact("Received", time(message.receivedAt))}
      </dl>
      ${
        message.html === null
          ? ""
          : html`<h2>
                HTML part <a href="/messages/${id}/html">open alone</a>
                <a href="/messages/${id}/html?scheme=light">light</a>
                <a href="/messages/${id}/html?scheme=dark">dark</a>
              </h2>
              ${frame("HTML part", `/messages/${id}/html`)}`
      }
      ${
        text === null
          ? ""
          : html`<h2>Text part</h2>
              <pre class="card">${text}</pre>`
      }
      <h2>Headers <a href="/messages/${id}/raw">source</a></h2>
      <dl class="facts">${headers.map(({ name, value }) => fact(name, value))}</dl>`,
  );
}

/** Every design in both schemes. */
export const designsPage = (designs: [name: string, StoredMessage][]): Content =>
  page(
    "Every email",
    html`<p class="quiet">
        ${designs.length} designs, with made-up customers, from the files that write the emails
      </p>
      <ul class="row">
        ${designs.map(([name, { id }]) => html`<li><a href="#${id}">${name}</a></li>`)}
      </ul>
      ${designs.map(design)}`,
  );

const design = ([name, { id, subject, text }]: [name: string, StoredMessage]): Content =>
  html`<section aria-labelledby="${id}">
    <h2 id="${id}">${name} <a href="/designs/${id}/html">open alone</a></h2>
    <p class="quiet">${subject}</p>
    <div class="schemes">
      ${frame(`${name}, light`, `/designs/${id}/html?scheme=light`)}
      ${frame(`${name}, dark`, `/designs/${id}/html?scheme=dark`)}
    </div>
    <details>
      <summary>Text part</summary>
      <pre class="card">${text}</pre>
    </details>
  </section>`;

const frame = (title: string, source: string): Content =>
  html`<iframe
    title="${title}"
    loading="lazy"
    sandbox="allow-popups allow-popups-to-escape-sandbox"
    src="${source}"
  ></iframe>`;

export const missingPage = (): Content =>
  page("No such message", html`<p>It may have been deleted. <a href="/">Back to the mailbox</a></p>`);

function page(title: string, content: Content): Content {
  return document(
    title,
    html`<div class="sheet">
      <header class="row">
        <a href="/">Mailbox</a>
        <span class="quiet">simulator, nothing leaves this machine</span>
      </header>
      <main>
        <h1>${title}</h1>
        ${content}
      </main>
    </div>`,
    { sheets: ["page.css", "mail.css"] },
  );
}

const fact = (name: string, value: Content): Content =>
  html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;

const time = (at: string): Content =>
  html`<time datetime="${at}">${at.slice(0, 10)} ${at.slice(11, 19)} UTC</time>`;
