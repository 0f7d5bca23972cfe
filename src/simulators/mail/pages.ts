import { html } from "hono/html";
import { actionForm } from "../actions";
import { type Content, document } from "../page";
import type { MailActions } from "./actions";
import type { StoredMessage } from "./mailbox";

/** How many messages the page lists; the filter finds a recipient's older messages. */
const shown = 100;

const form = actionForm<MailActions>();

export function listPage(messages: StoredMessage[], to: string): Content {
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
      ${all === 0 ? html`<p>No mail yet. What the shop sends appears here.</p>` : ""}
      <ol class="list">
        ${messages.slice(0, shown).map(listed)}
      </ol>
      ${all > 0 && !to ? form("clear", {}, html`<button class="danger">Delete all mail</button>`) : ""}`,
  );
}

function listed({ id, subject, envelope, receivedAt }: StoredMessage): Content {
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
          : html`<h2>HTML part <a href="/messages/${id}/html">open alone</a></h2>
              <iframe
                title="HTML part"
                sandbox="allow-popups allow-popups-to-escape-sandbox"
                src="/messages/${id}/html"
              ></iframe>`
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
