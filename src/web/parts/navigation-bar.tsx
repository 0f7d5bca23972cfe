import { Menu } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Link, useLocation } from "react-router";
import { brand } from "@/brand/brand";
import { useSession } from "../api/session";
import { isWithout } from "../page/without";
import { Mark } from "./mark";
import { NavigationSheet, sections } from "./navigation-sheet";

/** The bar of the public pages. The sign-in pages have none, and the dashboard has its own. */
export function NavigationBar() {
  const { pathname } = useLocation();
  return /^\/(?:login|register|forgot-pass|find-order|undo-email|confirm-email|invitation|device|dashboard|desk)(?:\/|$)/.test(
    pathname,
  ) ? null : (
    <Bar />
  );
}

function Bar() {
  const { hidden, show } = useHiddenBar();
  const sheet = useRef<HTMLDialogElement>(null);
  return (
    <header data-hidden={hidden} onFocus={show} className="navigation-bar">
      <nav aria-label="Main" className="site-width flex h-full items-center gap-1">
        <Link
          to="/"
          className="mr-auto inline-flex min-h-11 items-center gap-2.5 pr-3 text-lg font-semibold tracking-tight lg:mr-8"
        >
          <Mark className="size-7 text-link" />
          {brand.shortName}
        </Link>
        <ul className="hidden items-center lg:mr-auto lg:flex noscript:flex noscript:overflow-x-auto">
          {sections.map(([to, name]) => (
            <li key={to}>
              <Link to={to} className={link}>
                {name}
              </Link>
            </li>
          ))}
          {brand.links.community && !isWithout("discord") && (
            <li data-needs="discord">
              <a href="/discord" className={link}>
                Discord
              </a>
            </li>
          )}
        </ul>
        <Account />
        <button
          type="button"
          aria-label="Menu"
          aria-haspopup="dialog"
          onClick={() => sheet.current?.showModal()}
          className="-mr-2 grid size-11 place-items-center rounded-full hover:bg-veil/8 lg:hidden noscript:hidden"
        >
          <Menu aria-hidden="true" className="size-5.5" />
        </button>
      </nav>
      <NavigationSheet ref={sheet} />
    </header>
  );
}

const link =
  "inline-flex min-h-11 items-center rounded-full px-4 text-[0.9375rem] text-soft whitespace-nowrap transition-colors hover:text-foreground";

/** Hidden until the session is known; both links have the same width, so nothing moves. */
function Account() {
  const { state } = useSession();
  const signedIn = state === "signed-in";
  return (
    <Link to={signedIn ? "/dashboard" : "/login"} data-known={state !== "loading"} className="account-link">
      {signedIn ? "Dashboard" : "Login"}
    </Link>
  );
}

/** The bar hides below this scroll position, in pixels. */
const threshold = 50;

/** Whether the bar is hidden: after scrolling down past the threshold, until scrolling up. */
function useHiddenBar() {
  const [hidden, setHidden] = useState(false);
  useEffect(() => {
    let last = scrollY;
    const onScroll = () => {
      if (scrollY !== last) setHidden(scrollY > last && scrollY > threshold);
      last = scrollY;
    };
    addEventListener("scroll", onScroll, { passive: true });
    return () => removeEventListener("scroll", onScroll);
  }, []);
  return { hidden, show: () => setHidden(false) };
}
