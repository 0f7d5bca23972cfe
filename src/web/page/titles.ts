import { brand } from "@/brand/brand";
import { isWithout } from "./without";

/** Every client route with its page's title, shared by the server and `routes.tsx`. Any other path is a 404. */
const titles = {
  "/": brand.tagline ? `${brand.product} · ${brand.tagline}` : brand.product,
  "/privacy-policy": withProduct("Privacy Policy"),
  "/tos": withProduct("Terms of Service"),
  "/terms-of-service": withProduct("Terms of Service"),
  "/refund-policy": withProduct("Refunds Policy"),
  "/commands": withProduct("Commands"),
  "/login": withProduct("Login"),
  "/register": withProduct("Register"),
  "/forgot-pass": withProduct("Forgot Password"),
  "/find-order": withProduct("Find your order"),
  "/confirm-email": withProduct("Confirm Email"),
  "/invitation": withProduct("Join the staff"),
  "/device": withProduct("Sign in on a computer"),
  "/success": withProduct("Payment"),
  "/cancel": withProduct("Payment"),
  "/logout": withProduct("Logout"),
  "/dashboard": withProduct("Dashboard"),
  "/dashboard/account": withProduct("Account"),
  "/dashboard/settings": withProduct("Settings"),
  "/dashboard/license": withProduct("License"),
  "/dashboard/payments": withProduct("Payments"),
  "/dashboard/transaction": withProduct("Transaction"),
  "/dashboard/tickets": withProduct("Tickets"),
  "/dashboard/ticket": withProduct("Ticket"),
  "/dashboard/download": withProduct("Download"),
  "/dashboard/discord-callback": withProduct("Discord"),
  "/desk": withProduct("Desk"),
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
  return path === undefined ? withProduct("Page not found") : titles[path];
}

function isPagePath(path: string): path is PagePath {
  return Object.hasOwn(titles, path) && !(path === "/commands" && isWithout("commands"));
}

function withProduct(name: string) {
  return `${name} · ${brand.product}`;
}
