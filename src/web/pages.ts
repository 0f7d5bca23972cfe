import { brand } from "@/brand/brand";
import { commands } from "@/brand/commands";
import { landing } from "@/brand/landing";
import { withPrice } from "./page/currency";
import { structuredData } from "./structured-data";
import { type PagePath, titleAt } from "./page/titles";

/** What the server needs to know about a client route before scripts run. */
export type Page = {
  title: string;
  description: string;
  /** The path for search engines to list, if several paths show the same page. */
  canonical: string;
  /** Whether the page is readable before scripts run; other pages show a skeleton until then. */
  prerender: boolean;
  /** Whether the page is useless without scripts. */
  needsScripts: boolean;
  /** Whether search engines may list it. */
  index: boolean;
  /** Additional JSON-LD for search engines, given the shop's origin. */
  structuredData?: (origin: string) => object;
  /** Whether an inline script shows the account's status before the app has loaded (`early-status.ts`). */
  showsStatus?: boolean;
  /** The lazy modules below `src/web` that the page needs at once, fetched along with the entry. */
  modules: readonly string[];
};

const terms = legal(
  "/terms-of-service",
  `The terms you agree to when you use ${brand.shortName}: one license for one person, used fairly.`,
);

const allPages: Record<PagePath, Page> = {
  "/": { ...open("/", withPrice(landing.description), null), structuredData },
  "/privacy-policy": legal(
    "/privacy-policy",
    `What ${brand.shortName} stores about you, why and for how long. No advertising and no trackers.`,
  ),
  "/tos": terms,
  "/terms-of-service": terms,
  "/refund-policy": legal(
    "/refund-policy",
    `When a ${brand.shortName} purchase is refunded, what a refund does to the license, and how to ask for one.`,
  ),
  "/commands": open(
    "/commands",
    `All ${brand.product} Premium Commands, grouped and searchable, with what each one does.`,
  ),
  "/login": form("/login", `Sign in to your ${brand.shortName} dashboard.`),
  "/register": form("/register", `Create a ${brand.shortName} account with your license key.`),
  "/forgot-pass": form("/forgot-pass", `Choose a new password for your ${brand.shortName} account.`),
  "/find-order": form(
    "/find-order",
    `Get your ${brand.shortName} license keys emailed to the address you bought them with.`,
  ),
  "/confirm-email": closed("/confirm-email"),
  "/invitation": closed("/invitation"),
  "/device": closed("/device"),
  "/success": closed("/success", "result/result"),
  "/cancel": closed("/cancel", "result/result"),
  "/logout": closed("/logout"),
  "/dashboard": { ...closed("/dashboard", "dashboard/home/home"), showsStatus: true },
  "/dashboard/account": closed("/dashboard/account"),
  "/dashboard/settings": closed("/dashboard/settings"),
  "/dashboard/license": closed("/dashboard/license"),
  "/dashboard/payments": closed("/dashboard/payments"),
  "/dashboard/transaction": closed("/dashboard/transaction"),
  "/dashboard/tickets": closed("/dashboard/tickets", "dashboard/support/tickets"),
  "/dashboard/ticket": closed("/dashboard/ticket", "dashboard/support/tickets"),
  "/dashboard/download": closed("/dashboard/download"),
  "/dashboard/discord-callback": closed("/dashboard/discord-callback"),
  "/desk": closed("/desk", "desk/desk"),
};
const { "/commands": _, ...pagesWithoutCommands } = allPages;

/** Every client route of this brand's shop. The server's table; the browser needs only the titles. */
export const pages: Readonly<Record<string, Page>> =
  Object.keys(commands).length > 0 ? allPages : pagesWithoutCommands;

export const notFoundPage: Page = {
  ...closed("/", null),
  title: titleAt("/page-that-does-not-exist"),
  prerender: true,
  needsScripts: false,
};

/** The site's name when a browser installs it. */
export const siteName = { full: brand.product, short: brand.shortName };

const moved = {
  "/dashboard/security": "/dashboard/settings#security",
  "/dashboard/offline": "/dashboard/settings#offline",
};

const { community } = brand.links;
const byEmail = { "/support": `mailto:${brand.supportEmail}` };

/** Server redirects, to constants only. */
export const redirects: Readonly<Record<string, string>> = {
  ...(community ? { "/discord": community, "/support": community } : byEmail),
  ...moved,
};

export const redirectsWithoutDiscord: Readonly<Record<string, string>> = {
  ...byEmail,
  ...moved,
};

function open(path: PagePath, description: string, screen = screenOf(path)): Page {
  const metadata = { title: titleAt(path), description, canonical: path };
  return { ...metadata, prerender: true, needsScripts: false, index: true, modules: modulesOf(path, screen) };
}

function form(path: PagePath, description: string): Page {
  return { ...open(path, description), needsScripts: true };
}

/** The landing page with a dialog over it, at its own URL and with its own title. */
function legal(path: PagePath, description: string): Page {
  return open(path, description, "legal/legal-dialog");
}

function closed(path: PagePath, screen = screenOf(path)): Page {
  return {
    title: titleAt(path),
    description: brand.tagline ?? brand.product,
    canonical: path,
    prerender: false,
    needsScripts: true,
    index: false,
    modules: modulesOf(path, screen),
  };
}

/** The path of a page's screen below `screens`, unless the table gives another. */
function screenOf(path: string): string | null {
  return `${path.slice(1)}/${path.split("/").at(-1)}`;
}

/** A page of the dashboard also needs its frame. */
function modulesOf(path: string, screen: string | null): string[] {
  const screens = [
    ...(path.startsWith("/dashboard") ? ["dashboard/frame/frame"] : []),
    ...(screen ? [screen] : []),
  ];
  return screens.map((one) => `screens/${one}.tsx`);
}
