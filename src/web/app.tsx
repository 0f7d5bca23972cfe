import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useState } from "react";
import { useLocation } from "react-router";
import { pageAt } from "./pages";
import { ErrorBoundary } from "./parts/error-boundary";
import { NavigationBar } from "./parts/navigation-bar";
import { whenNoticesWait } from "./parts/notices";
import { AppRoutes } from "./routes";
import { Failed } from "./screens/failed/failed";

const Toasts = lazy(async () => ({ default: (await import("./parts/toasts")).Toasts }));

/** Everything inside the router; the same tree in the browser and when a page is prerendered. */
export function App(props: { queries: QueryClient }) {
  return (
    <QueryClientProvider client={props.queries}>
      <PageTitle />
      <Screen />
      <LateToasts />
    </QueryClientProvider>
  );
}

function Screen() {
  const { pathname } = useLocation();
  return (
    <>
      <NavigationBar />
      <ErrorBoundary fallback={<Failed />} resetKey={pathname}>
        <Suspense>
          <AppRoutes />
        </Suspense>
      </ErrorBoundary>
    </>
  );
}

/** The server wrote the first title into the page; from then on it follows the route. */
function PageTitle() {
  const { pathname } = useLocation();
  useEffect(() => {
    document.title = pageAt(pathname).title;
  }, [pathname]);
  return null;
}

/** Toasts are never in the first paint: their code loads a second later, or when a notice is waiting. */
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
