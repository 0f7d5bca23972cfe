import type { CSSProperties, ReactNode } from "react";
import { brand } from "@/brand/brand";
import type { Email } from "@/domain/mail/email";
import { ground, layout } from "./layout";
import { markPicture } from "./mark";
import { light, sans } from "./palette";
import { outlookStyleSheet, styleSheet } from "./style-sheets";

const width = 600;
const { community } = brand.links;

type Framed = { email: Email; hasDiscord: boolean };

/**
 * The frame around every email: the product's mark and name, a card, and below it why the email came. Tables, `width`
 * and `bgcolor` because Outlook for Windows lays out nothing else; colours are inline, and in dark mode by class.
 */
export function Frame({ email, hasDiscord, children }: Framed & { children: ReactNode }) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <style>{styleSheet}</style>
        <style>{outlookStyleSheet}</style>
        <title>{email.subject}</title>
      </head>
      <body className="page ink" style={page}>
        <div style={hidden}>{email.preheader + padding}</div>
        <table {...layout} width="100%" className="page" {...ground(light.page)} style={outer}>
          <tbody>
            <tr>
              {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- it looks no deeper than two levels */}
              <td align="center" style={{ padding: "24px 12px" }}>
                <table {...layout} width={width} style={column}>
                  <tbody>
                    <Masthead />
                    <tr>
                      <td className="card ink" {...ground(light.card)} style={card}>
                        {children}
                      </td>
                    </tr>
                    <tr>
                      <td className="quiet" style={footer}>
                        <Footer email={email} hasDiscord={hasDiscord} />
                      </td>
                    </tr>
                  </tbody>
                </table>
              </td>
            </tr>
          </tbody>
        </table>
      </body>
    </html>
  );
}

const Masthead = () => (
  <tr>
    <td style={{ padding: "0 4px 16px" }}>
      <table {...layout}>
        <tbody>
          <tr>
            {markPicture && (
              <td style={{ paddingRight: 12 }}>
                {/* without the priority, React asks to preload the picture, in a <link> */}
                <img
                  src={`cid:${markPicture.cid}`}
                  width={32}
                  height={32}
                  alt=""
                  fetchPriority="low"
                  style={{ display: "block" }}
                />
              </td>
            )}
            <td className="ink" style={name}>
              {brand.product}
            </td>
          </tr>
        </tbody>
      </table>
    </td>
  </tr>
);

const Footer = ({ email: { why, unsubscribeUrl, toOwner }, hasDiscord }: Framed) => (
  <>
    <div>
      {why}
      {unsubscribeUrl && (
        <>
          {" "}
          <FooterLink url={unsubscribeUrl}>{unsubscribeLabel}</FooterLink>
        </>
      )}
    </div>
    {!toOwner && (
      <div style={{ paddingTop: 8 }}>
        Questions? Write to <FooterLink url={`mailto:${brand.supportEmail}`}>{brand.supportEmail}</FooterLink>
        {hasDiscord && community && (
          <>
            {" "}
            or ask in <FooterLink url={community}>our community</FooterLink>
          </>
        )}
        .
      </div>
    )}
  </>
);

const FooterLink = ({ url, children }: { url: string; children: ReactNode }) => (
  <a href={url} className="link" style={{ color: light.link }}>
    {children}
  </a>
);

/** The same frame around an email's paragraphs in plain text, with each address alone on its line. */
export function textFrame(
  { why, unsubscribeUrl, toOwner }: Email,
  paragraphs: string[],
  hasDiscord: boolean,
): string {
  const support =
    hasDiscord && community
      ? `Questions? Write to us, or ask in our community:\n${brand.supportEmail}\n${community}`
      : `Questions? Write to us:\n${brand.supportEmail}`;
  const closing = [
    unsubscribeUrl ? `${why} ${unsubscribeLabel}:\n${unsubscribeUrl}` : why,
    ...(toOwner ? [] : [support]),
    `-- \n${brand.product}`,
  ];
  return `${[...paragraphs, ...closing].join("\n\n")}\n`;
}

const unsubscribeLabel = "Stop these emails";

/** Invisible, so that no words of the email follow the preheader in a list of emails. */
const padding = "\u034F\u200C\u00A0".repeat(90);

const page: CSSProperties = {
  margin: 0,
  padding: 0,
  background: light.page,
  color: light.ink,
  fontFamily: sans,
  fontSize: 16,
  lineHeight: 1.5,
};
const hidden: CSSProperties = {
  display: "none",
  maxHeight: 0,
  overflow: "hidden",
  opacity: 0,
  fontSize: 1,
  lineHeight: "1px",
};
/** Fixed, or a phone's column would be as wide as the `width` within it. */
const outer: CSSProperties = { background: light.page, tableLayout: "fixed" };
const column: CSSProperties = {
  width,
  maxWidth: "100%",
  margin: "0 auto",
  textAlign: "left",
  fontFamily: sans,
};
const name: CSSProperties = { fontSize: 18, lineHeight: 1.25, fontWeight: 700, color: light.ink };
const card: CSSProperties = {
  padding: 32,
  background: light.card,
  border: `1px solid ${light.line}`,
  borderRadius: 12,
  color: light.ink,
  fontSize: 16,
  lineHeight: 1.5,
};
const footer: CSSProperties = { padding: "20px 4px 0", fontSize: 14, lineHeight: 1.5, color: light.quiet };
