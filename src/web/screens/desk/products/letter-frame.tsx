import { useMemo } from "react";

/**
 * A letter as mail programs draw it, in a frame without scripts. The page's policy forbids styles in markup, so the
 * letter's own are set by code once it is drawn.
 */
export function LetterFrame({ html }: { html: string }) {
  const { markup, sheets } = useMemo(() => withoutStyles(html), [html]);
  return (
    <iframe
      title="The letter"
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

function withoutStyles(html: string) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const sheets = [...page.querySelectorAll("style")].map((sheet) => {
    sheet.remove();
    return sheet.textContent;
  });
  for (const element of page.querySelectorAll("[style]")) {
    element.setAttribute(held, element.getAttribute("style") ?? "");
    element.removeAttribute("style");
  }
  // a press on a link would replace the letter
  for (const link of page.querySelectorAll("a[href]")) link.removeAttribute("href");
  return { markup: page.documentElement.outerHTML, sheets };
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
