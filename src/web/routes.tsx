import type { ComponentType } from "react";
import { Route, Routes } from "react-router";
import { late, type LateScreen } from "./late";
import { type PagePath, pagePathOf } from "./pages";
import { Landing } from "./screens/landing/landing";

const NotFound = late(async () => (await import("./screens/not-found/not-found")).NotFound);

/** The map: which screen each page of `pages.ts` shows. Late ones arrive when they are first needed. */
const screens: Partial<Record<PagePath, ComponentType & Partial<LateScreen>>> = {
  "/": Landing,
  "/privacy-policy": Landing,
  "/tos": Landing,
  "/terms-of-service": Landing,
  "/refund-policy": Landing,
};

export function AppRoutes() {
  return (
    <Routes>
      {Object.entries(screens).map(([path, Screen]) => (
        <Route key={path} path={path} element={<Screen />} />
      ))}
      <Route path="*" element={<NotFound />} />
    </Routes>
  );
}

/** Brings the code of the screen behind a path; resolves at once where there is nothing to bring. */
export async function loadScreen(pathname: string): Promise<void> {
  const path = pagePathOf(pathname);
  const screen = path === undefined ? NotFound : screens[path];
  await screen?.load?.();
}
