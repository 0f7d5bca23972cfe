import type { CSSProperties, ReactNode } from "react";
import type { Block, Fact } from "@/domain/mail/blocks";
import { ground, layout } from "./layout";
import { light, mono } from "./palette";

/** A block as HTML. Inline styles, because some mail programs drop all others; the classes are for dark mode. */
export function BlockInHtml({ block }: { block: Block }): ReactNode {
  switch (block.kind) {
    case "heading":
      return <h1 style={{ margin: "0 0 12px", fontSize: 22, lineHeight: 1.25 }}>{block.text}</h1>;
    case "subheading":
      return <h2 style={{ margin: "24px 0 8px", fontSize: 17, lineHeight: 1.25 }}>{block.text}</h2>;
    case "paragraph":
      return <Paragraph quiet={block.quiet}>{block.text}</Paragraph>;
    case "lines":
      return <Lines lines={block.lines} />;
    case "codes":
      return block.codes.map((code) => <Code key={code} code={code} large={block.large} />);
    case "amount":
      return <Amount name={block.name} text={block.text} />;
    case "facts":
      return <Facts facts={block.facts} />;
    case "button":
      return <Button label={block.label} url={block.url} />;
    case "link":
      return <SmallLink sentence={block.sentence} label={block.label} url={block.url} />;
    case "quotation":
      return <Quotation text={block.text} />;
    default:
      return markdown(block.source);
  }
}

function Paragraph({ children, quiet = false }: { children: ReactNode; quiet?: boolean }) {
  const small = quiet ? { fontSize: 14, color: light.quiet } : {};
  return (
    <p
      className={quiet ? "quiet" : undefined}
      style={{ margin: "0 0 16px", overflowWrap: "anywhere", ...small }}
    >
      {children}
    </p>
  );
}

const Lines = ({ lines }: { lines: string[] }) => (
  <Paragraph quiet>
    {lines.map((line) => (
      <span key={line}>
        {line}
        <br />
      </span>
    ))}
  </Paragraph>
);

/** What the reader looks for. */
const Panel = ({ style, children }: { style: CSSProperties; children: ReactNode }) => (
  <table {...layout} width="100%" style={{ margin: "0 0 20px" }}>
    <tbody>
      <tr>
        <td align="center" className="panel ink" {...ground(light.panel)} style={{ ...panel, ...style }}>
          {children}
        </td>
      </tr>
    </tbody>
  </table>
);

/** Unbroken, so that a double tap selects all of it. */
function Code({ code, large }: { code: string; large: boolean }) {
  const size = large ? { fontSize: 28, letterSpacing: 6 } : { fontSize: 16 };
  return <Panel style={{ ...copyable, ...size }}>{code}</Panel>;
}

const Amount = ({ name, text }: { name: string; text: string }) => (
  <Panel style={{ fontSize: 24, fontWeight: 700, lineHeight: 1.25 }}>
    <span className="quiet" style={{ fontSize: 14, fontWeight: 400, color: light.quiet }}>
      {name}
    </span>
    <br />
    {text}
  </Panel>
);

const Facts = ({ facts }: { facts: Fact[] }) => (
  <table width="100%" cellPadding={0} cellSpacing={0} style={{ margin: "0 0 16px", fontSize: 14 }}>
    <tbody>
      {facts.map(([name, value]) => (
        <tr key={name}>
          <th scope="row" align="left" className="rule quiet" style={{ ...cell, ...factName }}>
            {name}
          </th>
          <td className="rule ink" style={{ ...cell, overflowWrap: "anywhere", wordBreak: "break-word" }}>
            {value}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

/**
 * 48 px high. Outlook for Windows draws the cell and its `mso-padding-alt`; everywhere else the link fills the cell, so
 * that all of it can be pressed.
 */
const Button = ({ label, url }: { label: string; url: string }) => (
  <table {...layout} className="button" {...ground(light.accent)} style={buttonGround}>
    <tbody>
      <tr>
        <td align="center" className="button-cell" {...ground(light.accent)} style={buttonCell}>
          <a href={url} className="button-text" style={buttonText}>
            {label}
          </a>
        </td>
      </tr>
    </tbody>
  </table>
);

const SmallLink = ({ sentence, label, url }: { sentence: string | null; label: string; url: string }) => (
  <Paragraph quiet>
    {sentence !== null && `${sentence} `}
    <Link href={url}>{label}</Link>
  </Paragraph>
);

const Quotation = ({ text }: { text: string }) => (
  <blockquote dir="auto" className="rule quiet" style={quotation}>
    {text.split(/\r\n|[\r\n]/).map((line, at) => (
      <div key={at} style={{ minHeight: "1.5em", overflowWrap: "anywhere" }}>
        {line}
      </div>
    ))}
  </blockquote>
);

/** Shows HTML in the Markdown as text, and pictures as their descriptions. */
const markdown = (source: string): ReactNode =>
  Bun.markdown.react(
    source,
    {
      h1: ({ children }) => <h2>{children}</h2>,
      p: ({ children }) => <Paragraph>{children}</Paragraph>,
      a: ({ href, children }) => <Link href={href}>{children}</Link>,
      img: ({ alt }) => <>{alt}</>,
    },
    { noHtmlBlocks: true, noHtmlSpans: true, autolinks: { url: true } },
  );

function Link({ href, children }: { href: string; children: ReactNode }) {
  if (!/^(https?|mailto):/i.test(href)) return children;
  return (
    <a href={href} className="link" style={{ color: light.link }}>
      {children}
    </a>
  );
}

const quotation: CSSProperties = {
  margin: "0 0 16px",
  padding: "2px 0 2px 14px",
  borderLeft: `3px solid ${light.line}`,
  color: light.quiet,
};
const panel: CSSProperties = {
  padding: "16px 8px",
  background: light.panel,
  border: `1px solid ${light.accent}`,
  borderRadius: 8,
  color: light.ink,
  overflowWrap: "anywhere",
};
const copyable: CSSProperties = { fontFamily: mono, fontWeight: 700, userSelect: "all" };
const buttonGround: CSSProperties = { margin: "0 0 20px", background: light.accent, borderRadius: 8 };
const buttonCell = { borderRadius: 8, msoPaddingAlt: "12px 28px" };
const buttonText: CSSProperties = {
  display: "block",
  padding: "12px 28px",
  borderRadius: 8,
  color: light.onAccent,
  fontSize: 16,
  fontWeight: 600,
  lineHeight: "24px",
  textAlign: "center",
  textDecoration: "none",
};
const factName: CSSProperties = { width: "38%", fontWeight: 400, color: light.quiet };
const cell: CSSProperties = {
  padding: "8px 12px 8px 0",
  borderTop: `1px solid ${light.line}`,
  verticalAlign: "top",
};
