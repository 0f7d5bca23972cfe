import type { ReactNode } from "react";
import { oneLine } from "./format";
import { palette } from "./palette";
import { Heading, Paragraph, Unsubscribe, unsubscribeLine } from "./parts";
import type { Writing } from "./writing";

/** What the operator wrote, as HTML from the Markdown and as text the way it was typed. */
export const announcement: Writing<"announcement"> = {
  subject: ({ subject }) => oneLine(subject),
  preview: ({ subject }) => oneLine(subject),
  body: (letter) => (
    <>
      <Heading>{letter.subject}</Heading>
      {written(letter.content)}
      <Unsubscribe letter={letter} />
    </>
  ),
  text: (letter) => [letter.subject, letter.content.trim(), unsubscribeLine(letter)],
};

/** HTML in the Markdown is text like any other, and pictures are their descriptions. */
const written = (content: string): ReactNode =>
  Bun.markdown.react(
    content,
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
