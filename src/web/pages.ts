import { brand } from "@/brand/brand";
import { landing } from "@/brand/landing";

/** What the server has to know of a client route before any script runs. */
export type Page = {
  title: string;
  description: string;
  /** Path that search engines shall list instead, where several show the same page. */
  canonical: string;
  /** Rendered to HTML once at the start; the others get an empty root. */
  prerender: boolean;
  /** Whether search engines may list it. */
  index: boolean;
  /** Late module below `src/web` that the page needs at once: fetched along with the entry, not after it. */
  module?: string;
};

const terms = legal(
  "/terms-of-service",
  "Terms of Service",
  `The terms you agree to when you use ${brand.shortName}: one license for one person, used fairly.`,
);

/** Every client route, in one table that the server and `routes.tsx` share. Anything else is a 404. */
export const pages = {
  "/": open("/", `${brand.product} · ${brand.tagline}`, landing.description),
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
  "/commands": {
    ...open(
      "/commands",
      titled("Commands"),
      `All ${brand.product} Premium Commands, grouped and searchable, each with what it does.`,
    ),
    module: "screens/commands/commands.tsx",
  },
  "/login": {
    ...open("/login", titled("Login"), `Sign in to your ${brand.shortName} dashboard.`),
    module: "screens/login/login.tsx",
  },
  "/register": {
    ...open("/register", titled("Register"), `Create a ${brand.shortName} account with your license key.`),
    module: "screens/register/register.tsx",
  },
  "/forgot-pass": {
    ...open(
      "/forgot-pass",
      titled("Forgot Password"),
      `Choose a new password for your ${brand.shortName} account.`,
    ),
    module: "screens/forgot-pass/forgot-pass.tsx",
  },
  "/confirm-email": {
    ...closed("/confirm-email", "Confirm Email"),
    module: "screens/confirm-email/confirm-email.tsx",
  },
  "/find-order": {
    ...open(
      "/find-order",
      titled("Find your order"),
      `Have your ${brand.shortName} license keys mailed to the address that you bought them with.`,
    ),
    module: "screens/find-order/find-order.tsx",
  },
  "/undo-email": {
    ...closed("/undo-email", "Undo Email Change"),
    module: "screens/undo-email/undo-email.tsx",
  },
  "/success": { ...closed("/success", "Payment"), module: "screens/result/result.tsx" },
  "/cancel": { ...closed("/cancel", "Payment"), module: "screens/result/result.tsx" },
  "/logout": { ...closed("/logout", "Logout"), module: "screens/logout/logout.tsx" },
  "/dashboard": { ...closed("/dashboard", "Dashboard"), module: "screens/dashboard/home/home.tsx" },
  "/dashboard/account": {
    ...closed("/dashboard/account", "Account"),
    module: "screens/dashboard/account/account.tsx",
  },
  "/dashboard/settings": {
    ...closed("/dashboard/settings", "Settings"),
    module: "screens/dashboard/settings/settings.tsx",
  },
  "/dashboard/license": {
    ...closed("/dashboard/license", "License"),
    module: "screens/dashboard/license/license.tsx",
  },
  "/dashboard/payments": {
    ...closed("/dashboard/payments", "Payments"),
    module: "screens/dashboard/payments/payments.tsx",
  },
  "/dashboard/transaction": {
    ...closed("/dashboard/transaction", "Transaction"),
    module: "screens/dashboard/transaction/transaction.tsx",
  },
  "/dashboard/tickets": {
    ...closed("/dashboard/tickets", "My tickets"),
    module: "screens/dashboard/support/tickets.tsx",
  },
  "/dashboard/ticket": {
    ...closed("/dashboard/ticket", "Ticket"),
    module: "screens/dashboard/support/ticket.tsx",
  },
  "/dashboard/download": {
    ...closed("/dashboard/download", "Download"),
    module: "screens/dashboard/download/download.tsx",
  },
  "/dashboard/discord-callback": {
    ...closed("/dashboard/discord-callback", "Discord"),
    module: "screens/dashboard/discord-callback/discord-callback.tsx",
  },
} as const satisfies Record<string, Page>;

export type PagePath = keyof typeof pages;

export const notFoundPage: Page = { ...closed("/", "Page not found"), prerender: true };

/** What a browser calls the site where it is installed or shared. */
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

function open(canonical: string, title: string, description: string): Page {
  return { title, description, canonical, prerender: true, index: true };
}

/** The landing page with a dialog over it, at an address and under a title of its own. */
function legal(canonical: string, name: string, description: string): Page {
  return {
    ...open(canonical, titled(name), description),
    module: "screens/legal/legal-dialog.tsx",
  };
}

function closed(canonical: string, name: string): Page {
  return { title: titled(name), description: brand.tagline, canonical, prerender: false, index: false };
}

function titled(name: string) {
  return `${name} · ${brand.product}`;
}
