import type { CSSProperties, ReactNode } from "react";
import type { Fact } from "./format";
import { mono, palette } from "./palette";

export function Heading({ children }: { children: ReactNode }) {
  return <h1 style={{ margin: "0 0 12px", fontSize: 22, lineHeight: 1.25 }}>{children}</h1>;
}

export function Paragraph({ children, quiet }: { children: ReactNode; quiet?: boolean }) {
  const style = quiet ? { fontSize: 14, color: palette.quiet } : {};
  return <p style={{ margin: "0 0 16px", overflowWrap: "anywhere", ...style }}>{children}</p>;
}

/** What somebody else wrote, line by line, set apart from the shop's own words. */
export const Quotation = ({ children }: { children: string }) => (
  <blockquote dir="auto" style={quotation}>
    {linesOf(children).map((line, at) => (
      <div key={at} style={{ minHeight: "1.5em", overflowWrap: "anywhere" }}>
        {line}
      </div>
    ))}
  </blockquote>
);

/** The same in plain text: RFC 3676 §4.5. */
export const quoted = (text: string) =>
  linesOf(text)
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");

const linesOf = (text: string) => text.split(/\r\n|[\r\n]/);

/** A key or code alone in its box, unbroken, so that a double tap selects all of it. */
export function Copyable({ children, large }: { children: string; large?: boolean }) {
  const size = large ? { fontSize: 28, letterSpacing: 6 } : { fontSize: 16 };
  return <div style={{ ...copyable, ...size }}>{children}</div>;
}

export function Button({ href, children }: { href: string; children: ReactNode }) {
  return (
    <p style={{ margin: "0 0 20px" }}>
      <a href={href} style={button}>
        {children}
      </a>
    </p>
  );
}

const seePayment = "See this payment";

export function Link({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Paragraph quiet>
      <a href={href} style={{ color: palette.quiet }}>
        {children}
      </a>
    </Paragraph>
  );
}

export const PaymentLink = ({ letter }: { letter: { paymentUrl: string } }) => (
  <Link href={letter.paymentUrl}>{seePayment}</Link>
);
export const paymentLine = ({ paymentUrl }: { paymentUrl: string }) => `${seePayment}: ${paymentUrl}`;

type Unwanted = { unsubscribeUrl: string; isBuyer?: boolean };

const whyYou = ({ isBuyer = false }: Unwanted) =>
  `You get this letter because you ${isBuyer ? "bought from us" : "have an account with us"}.`;
const noMore = "Stop these letters";

/** At the end of letters that are not about an order. */
export function Unsubscribe({ letter }: { letter: Unwanted }) {
  return (
    <Paragraph quiet>
      {whyYou(letter)}{" "}
      <a href={letter.unsubscribeUrl} style={{ color: palette.quiet }}>
        {noMore}
      </a>
    </Paragraph>
  );
}
export const unsubscribeLine = (letter: Unwanted) => `${whyYou(letter)} ${noMore}: ${letter.unsubscribeUrl}`;

export function Facts({ facts }: { facts: Fact[] }) {
  return (
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
