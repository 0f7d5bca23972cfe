import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { Fragment, Suspense, useEffect, useState } from "react";
import { useLocation } from "react-router";
import { useSessionRecheck } from "./api/session";
import { late } from "./parts/late";
import { titleAt } from "./page/titles";
import { ErrorBoundary } from "./parts/error-boundary";
import { FocusHeading } from "./parts/focus-heading";
import { LoadingBar } from "./loading-bar";
import { PlainNotices } from "./parts/lost";
import { NavigationBar } from "./parts/navigation-bar";
import { whenNoticesWait } from "./page/notices";
import { AppRoutes } from "./routes";
import { Failed } from "./screens/failed/failed";

const Toasts = late(async () => (await import("./parts/toasts")).Toasts, { instead: PlainNotices });

/** Everything inside the router; the same tree in the browser and in prerendering. */
export function App(props: { queries: QueryClient }) {
  return (
    <QueryClientProvider client={props.queries}>
      <PageTitle />
      <LoadingBar />
      <Screen />
      <FocusHeading />
      <LateToasts />
    </QueryClientProvider>
  );
}

function Screen() {
  const { pathname } = useLocation();
  const turns = useSessionRecheck();
  return (
    <Fragment key={turns}>
      <NavigationBar />
      <ErrorBoundary fallback={<Failed />} resetKey={pathname}>
        <Suspense>
          <AppRoutes />
        </Suspense>
      </ErrorBoundary>
    </Fragment>
  );
}

/** The server writes the first title into the page; then it follows the route. */
function PageTitle() {
  const { pathname } = useLocation();
  useEffect(() => {
    document.title = titleAt(pathname);
  }, [pathname]);
  return null;
}

/** Toasts are never in the first paint, so their code loads a second later, or when a notice is waiting. */
function LateToasts() {
  const [wanted, want] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => want(true), 1_000);
    const stop = whenNoticesWait(() => want(true));
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, []);
  return wanted ? (
    <Suspense>
      <Toasts />
    </Suspense>
  ) : null;
}
