import { createContext, type ReactNode, useContext, useLayoutEffect, useState, useTransition } from "react";
// `BrowserRouter` makes its history with this, and does not tell when a page is on its way.
import { Router, UNSAFE_createBrowserHistory as createHistory } from "react-router";

const Pending = createContext(false);

/** Whether a page was asked for and its code has not arrived: until then the one before stays. */
export const usePendingPage = () => useContext(Pending);

/** The router of the browser. */
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
