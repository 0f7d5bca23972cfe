import type { CSSProperties, ReactNode } from "react";
import type { Block, Fact } from "@/domain/mail/blocks";
import { mono, palette } from "./palette";

/** A block as HTML, with inline styles because mail programs drop all others. */
export function BlockInHtml({ block }: { block: Block }): ReactNode {
  switch (block.kind) {
    case "heading":
      return <h1 style={{ margin: "0 0 12px", fontSize: 22, lineHeight: 1.25 }}>{block.text}</h1>;
    case "paragraph":
      return <Paragraph quiet={block.quiet}>{block.text}</Paragraph>;
    case "lines":
      return <Lines lines={block.lines} />;
    case "codes":
      return block.codes.map((code) => <Code key={code} code={code} large={block.large} />);
    case "facts":
      return <Facts facts={block.facts} />;
    case "button":
      return <Button label={block.label} url={block.url} />;
    case "link":
      return <SmallLink sentence={block.sentence} label={block.label} url={block.url} />;
    case "quotation":
      return <Quotation text={block.text} />;
    case "markdown":
      return markdown(block.source);
    default:
      return block.blocks.map((one, at) => <BlockInHtml key={at} block={one} />);
  }
}

function Paragraph({ children, quiet = false }: { children: ReactNode; quiet?: boolean }) {
  const style = quiet ? { fontSize: 14, color: palette.quiet } : {};
  return <p style={{ margin: "0 0 16px", overflowWrap: "anywhere", ...style }}>{children}</p>;
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

/** Unbroken, so that a double tap selects all of it. */
function Code({ code, large }: { code: string; large: boolean }) {
  const size = large ? { fontSize: 28, letterSpacing: 6 } : { fontSize: 16 };
  return <div style={{ ...copyable, ...size }}>{code}</div>;
}

const Facts = ({ facts }: { facts: Fact[] }) => (
  <table width="100%" cellPadding={0} cellSpacing={0} style={{ margin: "0 0 16px", fontSize: 14 }}>
    <tbody>
      {facts.map(([name, value]) => (
        <tr key={name}>
          <th scope="row" align="left" style={{ ...cell, fontWeight: 400, color: palette.quiet }}>
            {name}
          </th>
          <td style={{ ...cell, overflowWrap: "anywhere", wordBreak: "break-word" }}>{value}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

const Button = ({ label, url }: { label: string; url: string }) => (
  <p style={{ margin: "0 0 20px" }}>
    <a href={url} style={button}>
      {label}
    </a>
  </p>
);

const SmallLink = ({ sentence, label, url }: { sentence: string | null; label: string; url: string }) => (
  <Paragraph quiet>
    {sentence !== null && `${sentence} `}
    <a href={url} style={{ color: palette.quiet }}>
      {label}
    </a>
  </Paragraph>
);

const Quotation = ({ text }: { text: string }) => (
  <blockquote dir="auto" style={quotation}>
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
      p: ({ children }) => <Paragraph>{children}</Paragraph>,
      a: ({ href, children }) => <Link href={href}>{children}</Link>,
      img: ({ alt }) => <>{alt}</>,
    },
    { noHtmlBlocks: true, noHtmlSpans: true, autolinks: { url: true } },
  );

function Link({ href, children }: { href: string; children: ReactNode }) {
  if (!/^(https?|mailto):/i.test(href)) return children;
  return (
    <a href={href} style={{ color: palette.link }}>
      {children}
    </a>
  );
}

const quotation: CSSProperties = {
  margin: "0 0 16px",
  padding: "2px 0 2px 14px",
  borderLeft: `3px solid ${palette.line}`,
  color: palette.quiet,
};
const copyable: CSSProperties = {
  margin: "0 0 20px",
  padding: "14px 8px",
  background: palette.tint,
  border: `1px solid ${palette.accent}`,
  borderRadius: 6,
  fontFamily: mono,
  fontWeight: 700,
  textAlign: "center",
  overflowWrap: "anywhere",
  userSelect: "all",
};
const button: CSSProperties = {
  display: "inline-block",
  padding: "12px 24px",
  background: palette.accent,
  color: palette.onAccent,
  borderRadius: 6,
  fontWeight: 600,
  textDecoration: "none",
};
const cell: CSSProperties = {
  padding: "8px 12px 8px 0",
  borderTop: `1px solid ${palette.line}`,
  verticalAlign: "top",
};
