import type { ReactNode } from "react";
import type { StoredMessage } from "./message";

export const pageSize = 100;

type List = { messages: StoredMessage[]; all: number; from: number; to: string };

export function ListPage({ messages, all, from, to }: List) {
  const count = `${all} ${all === 1 ? "message" : "messages"}${to ? ` to ${to}` : ""}`;
  return (
    <Page title="Mailbox">
      <search>
        <form className="bar" action="/">
          <input type="search" name="to" defaultValue={to} placeholder="Recipient" aria-label="Recipient" />
          <button>Filter</button>
          <a className="button" href={listUrl({ to, from })}>
            Refresh
          </a>
        </form>
      </search>
      <p className="quiet">
        {count}
        {to && (
          <>
            {" · "}
            <a href="/">all</a>
          </>
        )}
      </p>
      {messages.length === 0 && <p className="empty">No mail yet. What the shop sends appears here.</p>}
      <ol className="list">
        {messages.map((message) => (
          <li key={message.id}>
            <a href={`/messages/${message.id}`}>
              <strong>{message.subject || "(no subject)"}</strong>
              <span className="quiet">
                to {message.envelope.to.join(", ")} <Time at={message.receivedAt} />
              </span>
            </a>
          </li>
        ))}
      </ol>
      <nav className="bar" aria-label="Pages">
        {from > 0 && <a href={listUrl({ to, from: Math.max(0, from - pageSize) })}>Newer</a>}
        {from + pageSize < all && <a href={listUrl({ to, from: from + pageSize })}>Older</a>}
      </nav>
      {all > 0 && !to && (
        <form method="post" action="/clear">
          <button className="danger">Delete all mail</button>
        </form>
      )}
    </Page>
  );
}

export function MessagePage({ message }: { message: StoredMessage }) {
  const { id, subject, from, to, envelope, headers, html, text } = message;
  return (
    <Page title={subject || "(no subject)"}>
      <dl className="facts">
        <Fact name="From">{from}</Fact>
        <Fact name="To">{to}</Fact>
        <Fact name="Delivered to">{envelope.to.join(", ")}</Fact>
        <Fact name="Received">
          <Time at={message.receivedAt} />
        </Fact>
      </dl>
      {html !== null && (
        <section>
          <h2>
            HTML part <a href={`/messages/${id}/html`}>open alone</a>
          </h2>
          <iframe
            title="HTML part"
            sandbox="allow-popups allow-popups-to-escape-sandbox"
            src={`/messages/${id}/html`}
          />
        </section>
      )}
      {text !== null && (
        <section>
          <h2>Text part</h2>
          <pre>{text}</pre>
        </section>
      )}
      <section>
        <h2>
          Headers <a href={`/messages/${id}/raw`}>source</a>
        </h2>
        <dl className="facts">
          {headers.map(({ name, value }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- a header may appear twice, and none moves
            <Fact key={index} name={name}>
              {value}
            </Fact>
          ))}
        </dl>
      </section>
    </Page>
  );
}

export function MissingPage() {
  return (
    <Page title="No such message">
      <p>
        It may have been deleted. <a href="/">Back to the mailbox</a>
      </p>
    </Page>
  );
}

function Page({ title, children }: { title: string; children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="dark" />
        <title>{title}</title>
        <link rel="stylesheet" href="/style.css" />
      </head>
      <body>
        <header>
          <a href="/">Mailbox</a>
          <span className="quiet">simulator, nothing leaves this machine</span>
        </header>
        <main>
          <h1>{title}</h1>
          {children}
        </main>
      </body>
    </html>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Time({ at }: { at: string }) {
  return <time dateTime={at}>{`${at.slice(0, 10)} ${at.slice(11, 19)} UTC`}</time>;
}

function listUrl({ to, from }: { to: string; from: number }) {
  const query = new URLSearchParams({ ...(to && { to }), ...(from > 0 && { from: String(from) }) });
  return query.size > 0 ? `/?${query}` : "/";
}
