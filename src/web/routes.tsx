import type { ComponentType } from "react";
import { Route, Routes } from "react-router";
import { late, type LateScreen } from "./parts/late";
import { type PagePath, pagePathOf } from "./page/titles";
import { LostPage } from "./parts/lost";
import { Landing } from "./screens/landing/landing";

const NotFound = page(async () => (await import("./screens/not-found/not-found")).NotFound, "not-found");
const Result = page(async () => (await import("./screens/result/result")).Result);
const Frame = page(async () => (await import("./screens/dashboard/frame/frame")).Frame);

const Desk = page(async () => (await import("./screens/desk/desk")).Desk);

const UnknownPage = late(async () => (await import("./screens/dashboard/frame/unknown-page")).UnknownPage);

type Screens = Partial<Record<PagePath, ComponentType & Partial<LateScreen>>>;

// The screen of each page in `pages.ts`. Late screens load when first needed.

const open: Screens = {
  "/": Landing,
  "/privacy-policy": Landing,
  "/tos": Landing,
  "/terms-of-service": Landing,
  "/refund-policy": Landing,
  "/commands": page(async () => (await import("./screens/commands/commands")).Commands, "commands"),
  "/login": page(async () => (await import("./screens/login/login")).Login, "login"),
  "/forgot-pass": page(
    async () => (await import("./screens/forgot-pass/forgot-pass")).ForgotPass,
    "forgot-pass",
  ),
  "/register": page(async () => (await import("./screens/register/register")).Register, "register"),
  "/find-order": page(async () => (await import("./screens/find-order/find-order")).FindOrder, "find-order"),
  "/logout": page(async () => (await import("./screens/logout/logout")).Logout),
  "/confirm-email": page(async () => (await import("./screens/confirm-email/confirm-email")).ConfirmEmail),
  "/invitation": page(async () => (await import("./screens/invitation/invitation")).Invitation),
  "/device": page(async () => (await import("./screens/device/device")).Device),
  "/success": Result,
  "/cancel": Result,
};

/** Pages in the dashboard's frame, for signed-in accounts. */
const framed: Screens = {
  "/dashboard": late(async () => (await import("./screens/dashboard/home/home")).Home),
  "/dashboard/account": late(async () => (await import("./screens/dashboard/account/account")).Account),
  "/dashboard/settings": late(async () => (await import("./screens/dashboard/settings/settings")).Settings),
  "/dashboard/discord-callback": late(
    async () => (await import("./screens/dashboard/discord-callback/discord-callback")).DiscordCallback,
  ),
  "/dashboard/download": late(async () => (await import("./screens/dashboard/download/download")).Download),
  "/dashboard/license": late(async () => (await import("./screens/dashboard/license/license")).License),
  "/dashboard/payments": late(async () => (await import("./screens/dashboard/payments/payments")).Payments),
  "/dashboard/tickets": late(async () => (await import("./screens/dashboard/support/tickets")).Tickets),
  "/dashboard/ticket": late(async () => (await import("./screens/dashboard/support/tickets")).Ticket),
  "/dashboard/transaction": late(
    async () => (await import("./screens/dashboard/transaction/transaction")).Transaction,
  ),
};

export function AppRoutes() {
  return (
    <Routes>
      {routesOf(open)}
      <Route element={<Frame />}>
        {routesOf(framed)}
        <Route path="/dashboard/*" element={<UnknownPage />} />
      </Route>
      <Route path="/desk/*" element={<Desk />} />
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}

/** A page's screen; `sent` names its prerendered markup, readable before the code arrives. */
function page(importScreen: () => Promise<ComponentType>, sent?: string) {
  return late(importScreen, { instead: LostPage, ...(sent === undefined ? {} : { sent }) });
}

function routesOf(some: Screens) {
  return Object.entries(some)
    .filter(([path]) => pagePathOf(path) !== undefined)
    .map(([path, Screen]) => <Route key={path} path={path} element={<Screen />} />);
}

/** Fetches the code of a path's screen; resolves at once if there is nothing to fetch. */
export async function loadScreen(pathname: string): Promise<void> {
  const path = pagePathOf(pathname);
  if (path === undefined && pathname.startsWith("/dashboard/"))
    return void (await Promise.all([Frame.load(), UnknownPage.load()]));
  if (path === undefined) return void (await NotFound.load());
  if (path === "/desk") return void (await Desk.load());
  await Promise.all([framed[path] && Frame.load(), (framed[path] ?? open[path])?.load?.()]);
}
