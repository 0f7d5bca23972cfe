import type { ComponentType } from "react";
import { Route, Routes } from "react-router";
import { late, type LateScreen } from "./late";
import { type PagePath, pagePathOf } from "./pages";
import { Landing } from "./screens/landing/landing";

const NotFound = late(async () => (await import("./screens/not-found/not-found")).NotFound);
const Result = late(async () => (await import("./screens/result/result")).Result);
const Frame = late(async () => (await import("./screens/dashboard/frame/frame")).Frame);

type Screens = Partial<Record<PagePath, ComponentType & Partial<LateScreen>>>;

// Which screen each page of `pages.ts` shows. Late ones are loaded when they are first needed.

const open: Screens = {
  "/": Landing,
  "/privacy-policy": Landing,
  "/tos": Landing,
  "/terms-of-service": Landing,
  "/refund-policy": Landing,
  "/commands": late(async () => (await import("./screens/commands/commands")).Commands),
  "/login": late(async () => (await import("./screens/login/login")).Login),
  "/forgot-pass": late(async () => (await import("./screens/forgot-pass/forgot-pass")).ForgotPass),
  "/register": late(async () => (await import("./screens/register/register")).Register),
  "/find-order": late(async () => (await import("./screens/find-order/find-order")).FindOrder),
  "/logout": late(async () => (await import("./screens/logout/logout")).Logout),
  "/confirm-email": late(async () => (await import("./screens/confirm-email/confirm-email")).ConfirmEmail),
  "/undo-email": late(async () => (await import("./screens/undo-email/undo-email")).UndoEmail),
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
  "/dashboard/ticket": late(async () => (await import("./screens/dashboard/support/ticket")).Ticket),
  "/dashboard/transaction": late(
    async () => (await import("./screens/dashboard/transaction/transaction")).Transaction,
  ),
};

export function AppRoutes() {
  return (
    <Routes>
      {routesOf(open)}
      <Route element={<Frame />}>{routesOf(framed)}</Route>
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}

function routesOf(some: Screens) {
  return Object.entries(some).map(([path, Screen]) => <Route key={path} path={path} element={<Screen />} />);
}

/** Fetches the code of the screen at a path; resolves at once if there is nothing to fetch. */
export async function loadScreen(pathname: string): Promise<void> {
  const path = pagePathOf(pathname);
  if (path === undefined) return void (await NotFound.load());
  await Promise.all([framed[path] && Frame.load(), (framed[path] ?? open[path])?.load?.()]);
}
