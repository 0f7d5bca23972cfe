import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { brand } from "@/brand/brand";
import { mark } from "@/brand/mark";

/** Asks for confirmation, since a GET must not unsubscribe. */
export const askPage = (token: string) =>
  pageOf(
    "Stop these emails?",
    <>
      <p>
        You'll no longer get news from {brand.product}, or reminders that a license is about to end. You'll
        still get receipts and security notices.
      </p>
      <Button token={token}>Stop these emails</Button>
    </>,
  );

export const donePage = (token: string) =>
  pageOf(
    "You're unsubscribed",
    <>
      <p>No more news and no reminders. You'll still get emails about your orders and your account.</p>
      <Button token={token} again>
        Subscribe again
      </Button>
    </>,
  );

export const againPage = () => pageOf("You're subscribed again", <p>Nothing else has changed.</p>);

export const brokenPage = () =>
  pageOf(
    "This link is incomplete",
    <p>
      Please copy the whole link from the email, or write to{" "}
      <a href={`mailto:${brand.supportEmail}`}>{brand.supportEmail}</a>.
    </p>,
  );

function Button({ token, again, children }: { token: string; again?: boolean; children: ReactNode }) {
  const query = new URLSearchParams({ token, ...(again ? { again: "yes" } : {}) });
  return (
    <form method="post" action={`/api/unsubscribe?${query}`}>
      <button type="submit">{children}</button>
    </form>
  );
}

/** Needs no script. */
const pageOf = (title: string, children: ReactNode) =>
  `<!doctype html>${renderToStaticMarkup(
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="dark" />
        <meta name="robots" content="noindex" />
        <title>{`${title} · ${brand.product}`}</title>
        <link rel="stylesheet" href="/api/docs/style.css" />
      </head>
      <body>
        <main>
          <a href="/" className="home">
            <svg
              viewBox={mark.viewBox}
              fill="currentColor"
              aria-hidden="true"
              dangerouslySetInnerHTML={{ __html: mark.body }}
            />
            {brand.product}
          </a>
          <h1>{title}</h1>
          {children}
        </main>
      </body>
    </html>,
  )}`;
