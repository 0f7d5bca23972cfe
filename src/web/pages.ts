import { brand } from "@/brand/brand";
import { landing } from "@/brand/landing";
import { withPrice } from "./page-currency";

/** What the server needs to know about a client route before any script runs. */
export type Page = {
  title: string;
  description: string;
  /** The path that search engines should list, where several show the same page. */
  canonical: string;
  /** Whether it is rendered to HTML by the build; other pages get an empty root. */
  prerender: boolean;
  /** Whether search engines may list it. */
  index: boolean;
  /** The lazily loaded module, below `src/web`, that the page needs at once: fetched along with the entry, not after it. */
  module?: string;
};

const terms = legal(
  "/terms-of-service",
  "Terms of Service",
  `The terms you agree to when you use ${brand.shortName}: one license for one person, used fairly.`,
);

/** Every client route, in one table that the server and `routes.tsx` share. Anything else is a 404. */
export const pages = {
  "/": open("/", `${brand.product} · ${brand.tagline}`, withPrice(landing.description), null),
  "/privacy-policy": legal(
    "/privacy-policy",
    "Privacy Policy",
    `What ${brand.shortName} stores about you, why and for how long. No advertising and no trackers.`,
  ),
  "/tos": terms,
  "/terms-of-service": terms,
  "/refund-policy": legal(
    "/refund-policy",
    "Refunds Policy",
    `When a ${brand.shortName} purchase is refunded, what a refund does to the license, and how to ask for one.`,
  ),
  "/commands": open(
    "/commands",
    titled("Commands"),
    `All ${brand.product} Premium Commands, grouped and searchable, each with what it does.`,
  ),
  "/login": open("/login", titled("Login"), `Sign in to your ${brand.shortName} dashboard.`),
  "/register": open(
    "/register",
    titled("Register"),
    `Create a ${brand.shortName} account with your license key.`,
  ),
  "/forgot-pass": open(
    "/forgot-pass",
    titled("Forgot Password"),
    `Choose a new password for your ${brand.shortName} account.`,
  ),
  "/find-order": open(
    "/find-order",
    titled("Find your order"),
    `Have your ${brand.shortName} license keys mailed to the address that you bought them with.`,
  ),
  "/confirm-email": closed("/confirm-email", "Confirm Email"),
  "/undo-email": closed("/undo-email", "Undo Email Change"),
  "/success": closed("/success", "Payment", "result/result"),
  "/cancel": closed("/cancel", "Payment", "result/result"),
  "/logout": closed("/logout", "Logout"),
  "/dashboard": closed("/dashboard", "Dashboard", "dashboard/home/home"),
  "/dashboard/account": closed("/dashboard/account", "Account"),
  "/dashboard/settings": closed("/dashboard/settings", "Settings"),
  "/dashboard/license": closed("/dashboard/license", "License"),
  "/dashboard/payments": closed("/dashboard/payments", "Payments"),
  "/dashboard/transaction": closed("/dashboard/transaction", "Transaction"),
  "/dashboard/tickets": closed("/dashboard/tickets", "My tickets", "dashboard/support/tickets"),
  "/dashboard/ticket": closed("/dashboard/ticket", "Ticket", "dashboard/support/ticket"),
  "/dashboard/download": closed("/dashboard/download", "Download"),
  "/dashboard/discord-callback": closed("/dashboard/discord-callback", "Discord"),
} as const satisfies Record<string, Page>;

export type PagePath = keyof typeof pages;

export const notFoundPage: Page = { ...closed("/", "Page not found", null), prerender: true };

/** The name that a browser gives the site when it is installed. */
export const siteName = { full: brand.product, short: brand.shortName };

/** Server redirects; only ever to these constants. */
export const redirects: Readonly<Record<string, string>> = {
  "/discord": brand.links.community,
  "/support": brand.links.community,
};

/** The route that a path shows, a trailing slash forgiven; undefined for an unknown one. */
export function pagePathOf(pathname: string): PagePath | undefined {
  const path = pathname.length > 1 ? pathname.replace(/\/$/, "") : pathname;
  return isPagePath(path) ? path : undefined;
}

export function pageAt(pathname: string): Page {
  const path = pagePathOf(pathname);
  return path === undefined ? notFoundPage : pages[path];
}

function isPagePath(path: string): path is PagePath {
  return Object.hasOwn(pages, path);
}

function open(canonical: string, title: string, description: string, screen = screenOf(canonical)): Page {
  return { title, description, canonical, prerender: true, index: true, ...moduleOf(screen) };
}

/** The landing page with a dialog over it, at an address and under a title of its own. */
function legal(canonical: string, name: string, description: string): Page {
  return open(canonical, titled(name), description, "legal/legal-dialog");
}

function closed(canonical: string, name: string, screen = screenOf(canonical)): Page {
  return {
    title: titled(name),
    description: brand.tagline,
    canonical,
    prerender: false,
    index: false,
    ...moduleOf(screen),
  };
}

/** Where the screen of a page is, below `screens`, unless the table says otherwise. */
function screenOf(path: string): string | null {
  return `${path.slice(1)}/${path.split("/").at(-1)}`;
}

function moduleOf(screen: string | null) {
  return screen === null ? {} : { module: `screens/${screen}.tsx` };
}

function titled(name: string) {
  return `${name} · ${brand.product}`;
}
