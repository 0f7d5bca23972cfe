import { createContext, type ReactNode, useContext, useLayoutEffect, useState, useTransition } from "react";
// `BrowserRouter` makes its history with this, but doesn't expose a pending navigation.
import { Router, UNSAFE_createBrowserHistory as createHistory } from "react-router";

const Pending = createContext(false);

/** Whether a page was requested whose code has not arrived; the previous page stays until then. */
export const usePendingPage = () => useContext(Pending);

export function AppRouter({ children }: { children: ReactNode }) {
  const [history] = useState(() => createHistory({ v5Compat: true }));
  const [{ action, location }, show] = useState({ action: history.action, location: history.location });
  const [pending, startTransition] = useTransition();
  useLayoutEffect(() => history.listen((next) => startTransition(() => show(next))), [history]);
  return (
    <Pending value={pending}>
      <Router location={location} navigationType={action} navigator={history}>
        {children}
      </Router>
    </Pending>
  );
}
