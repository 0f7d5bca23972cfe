import { renderToStaticMarkup } from "react-dom/server";
import { Call } from "./call";
import { type CallOf, callsByTag } from "./calls";
import type { Description } from "./shape";
import { Words } from "./parts";
import { Refusals } from "./refusals";

/** The description as an HTML page: no script, one stylesheet, no other host. */
export const docsPage = (document: Description) =>
  `<!doctype html>${renderToStaticMarkup(<Page document={document} />)}`;

function Page({ document }: { document: Description }) {
  const { title, description = "" } = document.info;
  const groups = callsByTag(document);
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="dark" />
        <title>{title}</title>
        <link rel="stylesheet" href="/api/docs/style.css" />
      </head>
      <body>
        <a className="skip" href="#calls">
          Skip to the calls
        </a>
        <header>
          <h1>{title}</h1>
          <p>
            <Words text={description} />
          </p>
          <p>
            The same for programs: <a href="/api/openapi.json">openapi.json</a> (OpenAPI {document.openapi}),
            at <code>{document.servers?.[0]?.url}</code>
          </p>
        </header>
        <div className="columns">
          <Contents groups={groups} />
          <main id="calls">
            {groups.map(([tag, calls]) => (
              <section key={tag} aria-label={tag}>
                <h2>{tag}</h2>
                {calls.map((call) => (
                  <Call key={call.id} document={document} call={call} />
                ))}
              </section>
            ))}
            <Refusals />
          </main>
        </div>
      </body>
    </html>
  );
}

function Contents({ groups }: { groups: [string, CallOf[]][] }) {
  return (
    <nav aria-label="Calls">
      {groups.map(([tag, calls]) => (
        <div key={tag}>
          <h2>{tag}</h2>
          <ul>
            {calls.map(({ id, method, path }) => (
              <li key={id}>
                <a href={`#${id}`}>
                  <b>{method}</b> {path.replace(/^\/api/, "")}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <div>
        <h2>
          <a href="#refusals">Refusals</a>
        </h2>
      </div>
    </nav>
  );
}
