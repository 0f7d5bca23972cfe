import { brand } from "@/brand/brand";

/** Every client route with its page's title, shared by the server and `routes.tsx`. Any other path is a 404. */
const titles = {
  "/": `${brand.product} · ${brand.tagline}`,
  "/privacy-policy": titled("Privacy Policy"),
  "/tos": titled("Terms of Service"),
  "/terms-of-service": titled("Terms of Service"),
  "/refund-policy": titled("Refunds Policy"),
  "/commands": titled("Commands"),
  "/login": titled("Login"),
  "/register": titled("Register"),
  "/forgot-pass": titled("Forgot Password"),
  "/find-order": titled("Find your order"),
  "/confirm-email": titled("Confirm Email"),
  "/invitation": titled("Join the staff"),
  "/device": titled("Sign in on a computer"),
  "/success": titled("Payment"),
  "/cancel": titled("Payment"),
  "/logout": titled("Logout"),
  "/dashboard": titled("Dashboard"),
  "/dashboard/account": titled("Account"),
  "/dashboard/security": titled("Security"),
  "/dashboard/settings": titled("Settings"),
  "/dashboard/offline": titled("Offline license"),
  "/dashboard/license": titled("License"),
  "/dashboard/payments": titled("Payments"),
  "/dashboard/transaction": titled("Transaction"),
  "/dashboard/tickets": titled("Tickets"),
  "/dashboard/ticket": titled("Ticket"),
  "/dashboard/download": titled("Download"),
  "/dashboard/discord-callback": titled("Discord"),
  "/desk": titled("Desk"),
} as const satisfies Record<string, string>;

export type PagePath = keyof typeof titles;

/** The route of a path, with or without a trailing slash; undefined for an unknown path. All of the desk is one route. */
export function pagePathOf(pathname: string): PagePath | undefined {
  if (pathname.startsWith("/desk/")) return "/desk";
  const path = pathname.length > 1 ? pathname.replace(/\/$/, "") : pathname;
  return isPagePath(path) ? path : undefined;
}

/** A page's name, without the product's. */
export const pageNameAt = (pathname: string) => titleAt(pathname).replace(` · ${brand.product}`, "");

export function titleAt(pathname: string): string {
  const path = pagePathOf(pathname);
  return path === undefined ? titled("Page not found") : titles[path];
}

function isPagePath(path: string): path is PagePath {
  return Object.hasOwn(titles, path);
}

function titled(name: string) {
  return `${name} · ${brand.product}`;
}
