import type { Offer } from "@/contract/wire/offers";
import type { Hsts } from "@/core/settings/config";
import { hour } from "@/contract/vocabulary/time";
import { reasonOf } from "@/core/log/log";
import { visitorMark } from "@/contract/vocabulary/page-marks";
import { notOnSale } from "../web/page/currency";
import { firstCallsOf } from "../web/first-calls";
import { pagePathOf } from "../web/page/titles";
import { brandOffer, isForLife } from "../web/page/offers";
import type { Without } from "../web/page/without";
import { type BuildOptions, findOrBuild } from "./build-cache";
import { fileFromText, type SiteFile } from "./files";
import { secureHeaders, transportOf } from "./headers";
import type { BuiltSite } from "./manifest";
import { withShop } from "./page-offers";
import { type Prepared, prepare, sendPrepared } from "./prepared";
import { requestPath } from "./request-path";

/**
 * `currency` is the shop's, by default US dollars. `offers` is what it sells now, by default
 * what the brand does. `without` is what its settings turn off.
 */
export type SiteOptions = BuildOptions & {
  publicUrl: URL;
  hsts?: Hsts;
  currency?: string;
  offers?: readonly Offer[];
  without?: readonly Exclude<Without, "commands" | "sale" | "lifetime">[];
};

/** Undefined where only the brand's is known. */
type Shown = readonly Offer[] | undefined;

/** Answers any method and path outside `/api`; never throws, never reads the disk. */
export type Site = ((request: Request) => Response) & {
  /** Renders the pages again with these offers, unless they already show them. */
  showOffers(offers: readonly Offer[]): Promise<void>;
  /** Resolves once the pages are the present brand's, or with why they can't be: the last ones stay. */
  updated: Promise<string | null>;
};

/** Loads the site, or builds it. */
export async function createSite(options: SiteOptions): Promise<Site> {
  const { built, next } = await findOrBuild(options);
  let drawer = drawerOf(built, options);
  let { offers: shown } = options;
  const contents = await drawer.all(shown);
  /** Pages that were loaded before may still ask for the former build's files. */
  async function replace(later: BuiltSite) {
    const [offers, following] = [shown, drawerOf(later, options)];
    const { files, ...drawn } = await following.all(offers);
    [drawer, shown] = [following, offers];
    Object.assign(contents, drawn, { files: new Map([...contents.files, ...files]) });
    setTimeout(() => Object.assign(contents, { files }), hour).unref();
  }
  return Object.assign(respondFrom(contents), {
    async showOffers(offers: readonly Offer[]) {
      if (Bun.deepEquals(offers, shown)) return;
      const by = drawer;
      const drawn = await by.pages(offers);
      if (by !== drawer) return;
      Object.assign(contents, drawn);
      shown = offers;
    },
    updated: (next?.().then(replace) ?? Promise.resolve()).then(() => null, reasonOf),
  });
}

/** What a built site becomes with a shop's settings, and with its offers. */
function drawerOf({ manifest, files }: BuiltSite, options: SiteOptions) {
  const { publicUrl, hsts = "subdomains", currency = "usd" } = options;
  const { origin } = publicUrl;
  const transport = transportOf({ publicUrl, hsts });
  const secure = secureHeaders(transport);
  const lacks: readonly Without[] = [
    ...(options.without ?? []),
    ...("/commands" in manifest.pages ? [] : (["commands"] as const)),
  ];
  const page = async (html: string, offers: Shown, { path = "", status = 200 } = {}) => {
    const whole = withoutParts(withShop(html, { origin, offers, currency }), [
      ...lacks,
      ...(offers?.length === 0 ? (["sale"] as const) : []),
      ...(isForLife(offers?.[0] ?? brandOffer(0, currency)) ? [] : (["lifetime"] as const)),
    ]);
    const file = await fileFromText(whole, "text/html; charset=utf-8");
    const fields = secureHeaders(transport, manifest.inlined, path);
    return preparePage(file, status, fields, firstCallsOf(pagePathOf(path)));
  };
  const { notFound, notFoundGuarded, pages } = manifest;
  /** One page at a time: all at once would hold up a running shop's requests. */
  async function drawPages(offers: Shown) {
    const several = offers && offers.length > 1 ? manifest.pagesOfSeveral : {};
    const drawn = new Map<string, PreparedPage>();
    for (const [path, html] of Object.entries({ ...pages, ...several }))
      drawn.set(path, await page(html, offers, { path }));
    return {
      pages: drawn,
      notFound: await page(notFound, offers, { status: 404 }),
      notFoundGuarded: await page(notFoundGuarded, offers, { status: 404 }),
    };
  }
  async function drawAll(offers: Shown): Promise<Contents> {
    const allFiles = [...files, ...(await crawlerFiles(origin, manifest.listed))];
    const { redirects, redirectsWithoutDiscord } = manifest;
    return {
      secure,
      files: new Map(allFiles.map(([path, file]) => [path, prepareFile(file, secure)])),
      redirects: new Map(Object.entries(lacks.includes("discord") ? redirectsWithoutDiscord : redirects)),
      ...(await drawPages(offers)),
    };
  }
  return { all: drawAll, pages: drawPages };
}

/** Leaves out of a built page what the shop lacks, and writes into it what that is. */
function withoutParts(html: string, lacks: readonly Without[]): string {
  if (lacks.length === 0) return html;
  const page = new HTMLRewriter().on("html", {
    element: (html) => void html.setAttribute("data-without", lacks.join(" ")),
  });
  if (lacks.includes("sale"))
    page.on("[data-sale]", {
      element: (part) => void part.setInnerContent(`<p>${notOnSale}</p>`, { html: true }),
    });
  for (const what of lacks) page.on(`[data-needs="${what}"]`, { element: (part) => void part.remove() });
  return page.transform(html);
}

/** Answers to visitors and to accounts differ in their headers. */
type PreparedPage = { visitor: Prepared; account: Prepared };

/** Every answer that the site can give. */
type Contents = {
  secure: Fields;
  files: Map<string, Prepared>;
  redirects: Map<string, string>;
  pages: Map<string, PreparedPage>;
  notFound: PreparedPage;
  notFoundGuarded: PreparedPage;
};

type Fields = Readonly<Record<string, string>>;

function prepareFile(file: SiteFile, secure: Fields): Prepared {
  const cacheControl = file.immutable ? "public, max-age=31536000, immutable" : "public, max-age=3600";
  return prepare(file, 200, { ...secure, "cache-control": cacheControl, vary: "Accept-Encoding" });
}

function preparePage(file: SiteFile, status: number, secure: Fields, calls: readonly string[]): PreparedPage {
  const fields = { ...secure, "cache-control": "private, no-cache", vary: "Accept-Encoding, Cookie" };
  return {
    account: prepare(file, status, { ...fields, link: calls.map(preloaded).join(", ") }),
    visitor: prepare(file, status, { ...fields, "server-timing": visitorMark }, `-${visitorMark}`),
  };
}

/** The page's own `fetch` takes the answer, because it asks in the same way. */
const preloaded = (call: string) => `<${call}>; rel=preload; as=fetch; crossorigin`;

function respondFrom(contents: Contents): (request: Request) => Response {
  return (request) => {
    const path = requestPath(request);
    if (request.method !== "GET" && request.method !== "HEAD") {
      return plainText(contents, 405, "Method not allowed", { allow: "GET, HEAD" });
    }
    const file = contents.files.get(path);
    if (file) return sendPrepared(file, request);
    const location = contents.redirects.get(path);
    if (location !== undefined) return plainText(contents, 302, "", { location });
    if (path.startsWith("/assets/")) return plainText(contents, 404, "Not found");
    const { visitor, account } = pageFor(contents, path);
    return sendPrepared(carriesSession(request) ? account : visitor, request);
  };
}

function pageFor({ pages, notFound, notFoundGuarded }: Contents, path: string): PreparedPage {
  const page = pages.get(pagePathOf(path) ?? "");
  return page ?? (path.startsWith("/dashboard/") ? notFoundGuarded : notFound);
}

/** Whether the request has a session cookie, named in `api/cookies.ts`; only the API knows whether it is valid. */
function carriesSession(request: Request) {
  return /(?:^|;\s*)(?:__Host-)?session=/.test(request.headers.get("cookie") ?? "");
}

function plainText({ secure }: Contents, status: number, body: string, fields: Fields = {}) {
  const headers = {
    ...secure,
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-cache",
    ...fields,
  };
  return new Response(body, { status, headers });
}

/** `robots.txt` and `sitemap.xml`, which contain the site's URL. */
async function crawlerFiles(origin: string, listed: string[]): Promise<[string, SiteFile][]> {
  const robots = `User-agent: *\nDisallow: /api/\nDisallow: /dashboard\nSitemap: ${origin}/sitemap.xml\n`;
  const urls = listed.map((path) => `<url><loc>${Bun.escapeHTML(origin + path)}</loc></url>`).join("");
  const sitemap = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls}</urlset>\n`;
  return [
    ["/robots.txt", await fileFromText(robots, "text/plain; charset=utf-8")],
    ["/sitemap.xml", await fileFromText(sitemap, "application/xml; charset=utf-8")],
  ];
}
