import type { Page } from "../web/pages";
import { scriptPolicy } from "./headers";
import { noncePlace } from "./nonced";
import { urgentPictureLinks } from "./urgent";

/** Stands in a page's template for PUBLIC_URL's origin, which a build made beforehand can't know. */
export const originPlace = "%origin-comes-here%";

/** How a page gets its looks. One that is drawn already is painted with its own styles alone. */
export type Styles = {
  /** The rules that stand in the page itself. */
  own: string;
  sheet: string;
  /** The whole stylesheet, where `sheet` is only a part of it. */
  further?: string;
};

/** What one page adds to `index.html`. */
export type Shell = {
  page: Page;
  script: string;
  /** Comes before `script` where the page is drawn already. */
  first: string;
  styles: Styles;
  /** Scripts that the page needs beside the entry. */
  chunks: string[];
  /** Prerendered markup; empty for a page that only the browser renders. */
  markup: string;
  /** The browser tab's picture as a `data:` URL: asking for it would hold up the first paint's own files. */
  icon: string;
};

/** Turns `index.html` into the template of one page. */
export function fillShell(html: string, shell: Shell): string {
  return (
    new HTMLRewriter()
      .on("title", { element: (title) => void title.setInnerContent(shell.page.title) })
      // After the viewport: the pictures' links ask how wide it is.
      .on('meta[name="viewport"]', { element: (meta) => void meta.after(head(shell), { html: true }) })
      .on('link[rel="stylesheet"]', { element: (link) => setStyles(link, shell) })
      .on('script[type="module"]', { element: (script) => setScript(script, shell) })
      .on("#root", {
        element: (element) => void element.setInnerContent(checked(shell.markup), { html: true }),
      })
      .transform(html)
  );
}

/** Without scripts nothing turns the links on, and the sheet is there from the start. */
function setStyles(link: HTMLRewriterTypes.Element, { styles, markup }: Shell) {
  const { own, sheet, further } = styles;
  link.before(`<style nonce="${noncePlace}">${own}</style>`, { html: true });
  if (markup === "") {
    link.setAttribute("href", sheet);
    return;
  }
  const links = [
    `<link rel="later-styles" href="${sheet}">`,
    further === undefined ? "" : `<link rel="further-styles" href="${further}">`,
    `<noscript><link rel="stylesheet" href="${sheet}"></noscript>`,
  ];
  link.replace(links.join(""), { html: true });
}

/** What is drawn already is painted first; `web/first.ts` then brings the script. */
function setScript(element: HTMLRewriterTypes.Element, { script, first, markup }: Shell) {
  element.setAttribute("src", markup === "" ? script : first);
}

/** On a page that is drawn already the links do nothing until `web/first.ts` turns them on. */
function scripts({ script, chunks, markup }: Shell) {
  const others = chunks.filter((chunk) => chunk !== script);
  if (markup === "") return others.map((chunk) => `<link rel="modulepreload" href="${chunk}">`);
  return [script, ...others].map((chunk) => `<link rel="later" href="${chunk}">`);
}

/**
 * A browser that finds a policy in the page doesn't look ahead in it: it asks for things as the markup has them, the
 * font and the urgent picture first, and the script, which stands at the end, last.
 */
function head(shell: Shell) {
  const { page } = shell;
  const canonical = originPlace + page.canonical;
  return [
    `<meta http-equiv="Content-Security-Policy" content="${scriptPolicy}">`,
    '<link rel="preload" href="/fonts/geist-basic-5.3.0.woff2" as="font" type="font/woff2" crossorigin>',
    ...urgentPictureLinks(shell.markup),
    ...scripts(shell),
    `<link rel="icon" href="${shell.icon}" type="image/svg+xml">`,
    '<link rel="apple-touch-icon" href="/apple-touch-icon.png">',
    `<link rel="${shell.markup === "" ? "manifest" : "later-manifest"}" href="/manifest.webmanifest">`,
    `<meta name="description" content="${Bun.escapeHTML(page.description)}">`,
    page.index ? `<link rel="canonical" href="${canonical}">` : '<meta name="robots" content="noindex">',
    `<meta property="og:title" content="${Bun.escapeHTML(page.title)}">`,
    `<meta property="og:description" content="${Bun.escapeHTML(page.description)}">`,
    `<meta property="og:url" content="${canonical}">`,
    '<meta property="og:type" content="website">',
    `<meta property="og:image" content="${originPlace}/og.png">`,
    '<meta property="og:image:width" content="1200"><meta property="og:image:height" content="630">',
    '<meta name="twitter:card" content="summary_large_image">',
  ].join("");
}

/** A style attribute or an inline script would be refused by the policy: better here than in a browser. */
function checked(markup: string) {
  const refused = /<script|<style|<[^>]+\sstyle=|<[^>]+\son[a-z]+=/.exec(markup);
  if (refused)
    throw new Error(`Prerendered markup that the content policy refuses: ${refused[0].slice(0, 200)}`);
  return markup;
}
