import type { CSSProperties, ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { brand } from "@/brand/brand";
import type { Email } from "@/domain/mail/email";
import { BlockInHtml } from "./block-in-html";
import { blockInText } from "./block-in-text";
import { palette, sans } from "./palette";

/** An email's subject, HTML and plain text, both from the same blocks. */
export function render({ subject, preheader, blocks, toOwner = false }: Email) {
  const markup = renderToStaticMarkup(
    <Frame subject={subject} preheader={preheader} toOwner={toOwner}>
      {blocks.map((block, at) => (
        <BlockInHtml key={at} block={block} />
      ))}
    </Frame>,
  );
  return { subject, html: `<!doctype html>${markup}`, text: textFrame(blocks.map(blockInText), toOwner) };
}

/** The frame around every email. A table because Outlook centres nothing else; all styles are inline. */
function Frame({
  subject,
  preheader,
  toOwner,
  children,
}: {
  subject: string;
  preheader: string;
  toOwner: boolean;
  children: ReactNode;
}) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light" />
        <meta name="supported-color-schemes" content="light" />
        <title>{subject}</title>
      </head>
      <body style={page}>
        <div style={hidden}>{preheader}</div>
        <table
          role="presentation"
          width="100%"
          cellPadding={0}
          cellSpacing={0}
          style={{ background: palette.page }}
        >
          <tbody>
            <tr>
              {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- it looks no deeper than two levels */}
              <td align="center" style={{ padding: "24px 12px" }}>
                <div style={column}>
                  <div style={masthead}>{brand.product}</div>
                  <div style={card}>{children}</div>
                  {!toOwner && <Support />}
                </div>
              </td>
            </tr>
          </tbody>
        </table>
      </body>
    </html>
  );
}

const Support = () => (
  <div style={footer}>
    Questions? Write to{" "}
    <a href={`mailto:${brand.supportEmail}`} style={{ color: palette.link }}>
      {brand.supportEmail}
    </a>{" "}
    or ask in{" "}
    <a href={brand.links.community} style={{ color: palette.link }}>
      our community
    </a>
    .
  </div>
);

/** The same frame around an email's paragraphs in plain text. */
function textFrame(paragraphs: string[], toOwner: boolean): string {
  const support = `Questions? Write to ${brand.supportEmail} or ask in our community: ${brand.links.community}`;
  const closing = [...(toOwner ? [] : [support]), `-- \n${brand.product}`];
  return `${[...paragraphs, ...closing].join("\n\n")}\n`;
}

const page: CSSProperties = {
  margin: 0,
  padding: 0,
  background: palette.page,
  color: palette.ink,
  fontFamily: sans,
  fontSize: 16,
  lineHeight: 1.5,
};
const hidden: CSSProperties = { display: "none", maxHeight: 0, overflow: "hidden", opacity: 0 };
const column: CSSProperties = { maxWidth: 560, margin: "0 auto", textAlign: "left" };
const masthead: CSSProperties = { padding: "0 4px 12px", fontSize: 18, fontWeight: 700, color: palette.ink };
const card: CSSProperties = {
  padding: "24px 20px",
  background: palette.card,
  border: `1px solid ${palette.line}`,
  borderTop: `4px solid ${palette.accent}`,
  borderRadius: 8,
};
const footer: CSSProperties = { padding: "16px 4px 0", fontSize: 14, color: palette.quiet };
