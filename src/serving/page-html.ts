import { currencyPlaceholder, firstPricePlace } from "../web/page/currency";
import { offersPlaceholder } from "../web/page/offers";
import type { Page } from "../web/pages";
import type { Bundle } from "./bundle";
import { originPlaceholder } from "./manifest";

/**
 * The HTML of one page, made from `index.html`. It carries the style sheet, to paint without another round trip, and its
 * scripts wait for its pictures. Pages that can't be read before scripts run show a skeleton until they do.
 * @param markup React's output
 */
export function pageHtml(html: string, page: Page, bundle: Bundle, markup: string): string {
  const isShort = markup.length < shortMarkup;
  const own = `<style>${bundle.styles}</style><script>${bundle.first}</script>`;
  return new HTMLRewriter()
    .on("html", {
      element(html) {
        html.setAttribute("data-currency", currencyPlaceholder);
        html.setAttribute("data-offers", offersPlaceholder);
        html.setAttribute("data-first-price", firstPricePlace);
      },
    })
    .on("title", { element: (title) => void title.setInnerContent(page.title) })
    .on('link[rel="stylesheet"]', { element: (link) => void link.replace(own, { html: true }) })
    .on('script[type="module"]', {
      element(script) {
        script.setAttribute("src", bundle.script);
        script.setAttribute("fetchpriority", "low");
      },
    })
    .on("head", {
      element: (head) =>
        void head.append((isShort ? paintedWhole : "") + headOf(page, bundle), { html: true }),
    })
    .on("#root", {
      element(element) {
        element.setInnerContent(expectStatic(markup), { html: true });
        if (!page.prerender) element.setAttribute("data-skeleton", "");
        if (page.needsScripts) element.before(withoutScripts, { html: true });
        if (page.showsStatus) element.after(`<script>${bundle.statusScript}</script>`, { html: true });
        element.after(lateNotice, { html: true });
      },
    })
    .transform(html);
}

/** Characters of markup that arrive in one piece. */
const shortMarkup = 20_000;

/**
 * A browser may paint what it has parsed so far, and the rest then moves a form that stands in the middle.
 * https://html.spec.whatwg.org/multipage/links.html#link-type-expect
 */
const paintedWhole = '<link rel="expect" href="#late-notice" blocking="render">';

const withoutScripts =
  '<noscript><p class="without-scripts">This page needs JavaScript. Please turn it on and load the page again, or <a href="/" class="text-link underline underline-offset-4">go home</a>.</p></noscript>';

/** The style sheet shows this after ten seconds unless scripts have removed it. */
const lateNotice =
  '<p id="late-notice" role="status" class="lost-bar late-notice">A part of this page has not arrived yet. <a href="" class="button-light h-11 px-6">Retry</a></p>';

function headOf(page: Page, bundle: Bundle) {
  const canonical = originPlaceholder + page.canonical;
  const chunks = ["start.ts", "react.ts", "mount.tsx", ...page.modules].flatMap((module) =>
    bundle.chunksOf(module),
  );
  return [
    '<link rel="preload" href="/fonts/geist-basic-5.3.0.woff2" as="font" type="font/woff2" crossorigin>',
    ...[...new Set(chunks)]
      .filter((chunk) => chunk !== bundle.script)
      .map((chunk) => `<link rel="modulepreload" href="${chunk}" fetchpriority="low">`),
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
    '<link rel="apple-touch-icon" href="/apple-touch-icon.png">',
    '<link rel="manifest" href="/manifest.webmanifest">',
    `<meta name="description" content="${Bun.escapeHTML(page.description)}">`,
    page.index ? `<link rel="canonical" href="${canonical}">` : '<meta name="robots" content="noindex">',
    `<meta property="og:title" content="${Bun.escapeHTML(page.title)}">`,
    `<meta property="og:description" content="${Bun.escapeHTML(page.description)}">`,
    `<meta property="og:url" content="${canonical}">`,
    '<meta property="og:type" content="website">',
    `<meta property="og:image" content="${originPlaceholder}/og.png">`,
    '<meta property="og:image:width" content="1200"><meta property="og:image:height" content="630">',
    `<meta property="og:image:alt" content="${Bun.escapeHTML(page.title)}">`,
    '<meta name="twitter:card" content="summary_large_image">',
    ...(page.structuredData ? [dataBlock(page.structuredData(originPlaceholder))] : []),
  ].join("");
}

/**
 * A data block, which browsers never run, so that the content policy does not concern it.
 * https://html.spec.whatwg.org/multipage/scripting.html#data-block
 */
const dataBlock = (data: object) =>
  `<script type="application/ld+json">${JSON.stringify(data).replaceAll("<", "\\u003c")}</script>`;

/** The content policy refuses style attributes and inline scripts: better to fail here than in a browser. */
function expectStatic(markup: string) {
  const refused = /<script|<style|<[^>]+\sstyle=|<[^>]+\son[a-z]+=/.exec(markup);
  if (refused)
    throw new Error(`Prerendered markup that the content policy refuses: ${refused[0].slice(0, 200)}`);
  return markup;
}
