import { useMemo } from "react";

/**
 * An email as mail programs draw it, in a frame without scripts. The page's policy forbids styles in markup, so code sets
 * the email's own styles once it is drawn.
 */
export function EmailFrame({ html }: { html: string }) {
  const { markup, sheets } = useMemo(() => withoutStyles(html), [html]);
  return (
    <iframe
      title="The email"
      // its document can be styled from here; nothing in it runs, and it can't leave the frame
      sandbox="allow-same-origin"
      srcDoc={markup}
      onLoad={({ currentTarget }) => style(currentTarget.contentDocument, sheets)}
      className="h-144 w-full rounded-md border bg-white"
    />
  );
}

/** The attribute that holds an element's style until it may be set. */
const held = "data-style";

/**
 * The email without what the policy would refuse and report: its styles and attached pictures. Its links lead nowhere,
 * because following one would replace the email.
 */
function withoutStyles(html: string) {
  const sheets: string[] = [];
  const markup = html
    .replaceAll(/<style[^>]*>([^]*?)<\/style>/gi, (_, sheet: string) => {
      sheets.push(sheet);
      return "";
    })
    .replaceAll(/<[a-z][^>]*>/gi, (tag) =>
      tag
        .replace(/\sstyle=/i, ` ${held}=`)
        .replace(/\shref=/i, " data-href=")
        .replace(/\ssrc="cid:/i, ' data-src="'),
    );
  return { markup, sheets };
}

function style(page: Document | null, sheets: readonly string[]) {
  if (!page?.defaultView) return;
  const Sheet = page.defaultView.CSSStyleSheet;
  page.adoptedStyleSheets = sheets.map((text) => {
    const sheet = new Sheet();
    sheet.replaceSync(text);
    return sheet;
  });
  for (const element of page.querySelectorAll<HTMLElement>(`[${held}]`))
    element.style.cssText = element.getAttribute(held) ?? "";
}
