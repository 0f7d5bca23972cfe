import { Suspense, useState } from "react";
import { Navigate, Outlet, useLocation } from "react-router";
import { useSession } from "../../../api/session";
import { useHydrated } from "../../../hooks/use-hydrated";
import { useKeptFocus } from "../../../hooks/use-kept-focus";
import { late } from "../../../parts/late";
import { stored } from "../../../page/stored";
import { useBackFromStripe } from "../../../parts/back-from-stripe";
import { returnState } from "../../../parts/destination";
import { LegalLinks } from "../../../parts/legal-links";
import { LostBar } from "../../../parts/lost";
import { Problem } from "../../../parts/problem";
import { PageSkeleton, SessionSkeleton } from "./frame-skeleton";
import { Header } from "./header";
import { goKeys, useKeys } from "../../../parts/keys";
import { NoAddressBanner, PastDueBanner } from "./banners";
import { Sidebar } from "./sidebar";

const Palette = late(async () => (await import("../palette/palette")).Palette, { instead: LostBar });
const Shortcuts = late(async () => (await import("../../../parts/shortcuts")).Shortcuts, {
  instead: LostBar,
});

/** The layout of every dashboard page; redirects visitors who are not signed in. */
export function Frame() {
  const session = useSession();
  const location = useLocation();
  const [collapsed, toggle] = useCollapsed();
  const [searching, search] = useState(false);
  const [listing, list] = useState(false);
  useKeptFocus();
  useKeys({ places: goKeys, onPalette: () => search((was) => !was), onShortcuts: () => list(true) });
  useBackFromStripe(session.state === "signed-in");
  if (session.state === "signed-out") return <Navigate to="/login" replace state={returnState(location)} />;
  if (session.state === "unknown")
    return (
      <main className="grid min-h-dvh place-content-center p-6">
        <Problem problem={session.problem} retry={session.retry} />
      </main>
    );
  const user = session.state === "signed-in" ? session.user : null;
  return (
    <>
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 -translate-y-24 rounded-md bg-primary px-4 py-3 text-sm font-medium text-primary-foreground focus:translate-y-0"
        onClick={(event) => {
          // a hash would be taken for a part of the page
          event.preventDefault();
          document.getElementById("content")?.focus();
        }}
      >
        Skip to content
      </a>
      <div className="flex min-h-dvh">
        <Sidebar user={user} collapsed={collapsed} />
        <div className="flex min-w-0 flex-1 flex-col">
          <Header user={user} collapsed={collapsed} onToggle={toggle} onSearch={() => search(true)} />
          {user?.past_due && <PastDueBanner pastDue={user.past_due} />}
          {user?.sends_mail && user.email === null && user.email_pending === null && <NoAddressBanner />}
          {/*
           * As high as the window, so that loading content does not visibly move the footer. Remounted when the account
           * becomes known, so that the banner above moves nothing already there, and when it changes.
           */}
          <main
            key={user ? user.id : "skeleton"}
            id="content"
            tabIndex={-1}
            className="mx-auto flex min-h-dvh w-full max-w-6xl flex-col gap-6 p-4 outline-none sm:p-6 lg:p-8"
          >
            {user ? (
              <Suspense fallback={<PageSkeleton />}>
                <Outlet />
              </Suspense>
            ) : (
              <SessionSkeleton />
            )}
          </main>
          <footer className="px-4 pb-4">
            <LegalLinks />
          </footer>
        </div>
      </div>
      {searching && user && (
        <Suspense>
          <Palette user={user} onClose={() => search(false)} onShortcuts={() => list(true)} />
        </Suspense>
      )}
      {listing && (
        <Suspense>
          <Shortcuts onClose={() => list(false)} />
        </Suspense>
      )}
    </>
  );
}

const sidebar = stored("sidebar", "browser");

/** Whether the side navigation is collapsed; remembered in this browser. */
function useCollapsed() {
  const [chosen, choose] = useState<boolean>();
  // the prerendered page doesn't know this browser's choice
  const hydrated = useHydrated();
  const collapsed = chosen ?? (hydrated && sidebar.recall() === "collapsed");
  const toggle = () => {
    sidebar.remember(collapsed ? "open" : "collapsed");
    choose(!collapsed);
  };
  return [collapsed, toggle] as const;
}
