import { Search } from "lucide-react";
import { type RefObject, useDeferredValue, useEffect, useRef, useState } from "react";
import { Link, useLocation } from "react-router";
import { brand } from "@/brand/brand";
import { catalogue as texts } from "@/brand/commands";
import { landing } from "@/brand/landing";
import { useHydrated } from "../../hooks/use-hydrated";
import { firstPrice } from "../../page/currency";
import { isWithout } from "../../page/without";
import { SiteFooter } from "../../parts/site-footer";
import { catalogue, find } from "./find";
import { Groups } from "./groups";

/** The public catalogue of commands, filtered while typing. */
export function Commands() {
  const [{ words, group }, setFilter] = useFilter();
  const found = find(useDeferredValue(words), group);
  const search = useRef<HTMLInputElement>(null);
  useSlashToFocus(search);
  useStart();
  const count = found.reduce((sum, { commands }) => sum + commands.length, 0);
  return (
    <>
      <main className="site-width pt-28 pb-24 md:pt-36">
        <h1 className="max-w-[20ch] text-section font-semibold text-balance">
          All {brand.product} Premium Commands
        </h1>
        {texts.lead && <p className="mt-4 max-w-2xl text-lg text-soft">{texts.lead}</p>}
        <p className="mt-8 flex flex-wrap items-center gap-x-5 gap-y-3">
          {!isWithout("sale") && (
            <Link to="/#get" data-needs="sale" className="button-light min-h-12 px-6 py-2">
              {landing.get.title}
            </Link>
          )}
          <span className="font-medium">{firstPrice}</span>
        </p>
        {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- older browsers don't support <search> */}
        <div role="search" className="command-tools">
          <label className="relative block">
            <span className="sr-only">Search commands</span>
            <Search
              aria-hidden="true"
              className="absolute top-1/2 left-5 size-5 -translate-y-1/2 text-muted-foreground"
            />
            <input
              ref={search}
              type="search"
              value={words}
              onChange={({ target }) => setFilter({ words: target.value, group })}
              placeholder="Search commands"
              autoComplete="off"
              spellCheck={false}
              className="h-14 w-full rounded-full border border-input bg-card pr-16 pl-13 text-lg placeholder:text-muted-foreground"
            />
            <kbd
              aria-hidden="true"
              className="absolute top-1/2 right-5 hidden -translate-y-1/2 rounded-md border px-2 py-0.5 font-sans text-sm text-muted-foreground md:block"
            >
              /
            </kbd>
          </label>
          <Chips chosen={group} choose={(chosen) => setFilter({ words, group: chosen })} />
        </div>
        <output className="block py-3 text-sm text-muted-foreground">{`${count} ${count === 1 ? "command" : "commands"}`}</output>
        {count > 0 ? <Groups found={found} /> : <Nothing clear={() => setFilter(everything)} />}
      </main>
      <SiteFooter>
        {texts.credit && <p>{texts.credit}</p>}
        <p className="mt-1">
          © {brand.copyright.commands} {brand.product}
        </p>
      </SiteFooter>
    </>
  );
}

type Filter = { words: string; group: string | undefined };

const everything: Filter = { words: "", group: undefined };

/** Browsers allow few changes of the history in a short time. */
const settlesMilliseconds = 300;

/** Stored in the history entry, so that Back leads to the list that was left. A page that is loaded shows everything. */
function useFilter() {
  const hydrated = useHydrated();
  const [filter, choose] = useState<Filter>(() => (hydrated && history.state?.filter) || everything);
  useEffect(() => {
    const store = () => history.replaceState({ ...history.state, filter }, "");
    const timer = setTimeout(store, settlesMilliseconds);
    return () => clearTimeout(timer);
  }, [filter]);
  return [filter, choose] as const;
}

function Chips(props: { chosen: string | undefined; choose: (group: string | undefined) => void }) {
  return (
    <fieldset className="mt-4 min-w-0 flex gap-2 overflow-x-auto p-1 md:flex-wrap">
      <legend className="sr-only">Groups</legend>
      {[undefined, ...catalogue.map(({ group }) => group)].map((group) => (
        <button
          key={group ?? "all"}
          type="button"
          aria-pressed={props.chosen === group}
          onClick={() => props.choose(group)}
          className="h-11 shrink-0 rounded-full border border-veil/12 px-4 text-sm font-medium text-soft capitalize transition-colors hover:bg-veil/8 aria-pressed:border-transparent aria-pressed:bg-primary aria-pressed:text-primary-foreground md:h-9"
        >
          {group ?? "all"}
        </button>
      ))}
    </fieldset>
  );
}

function Nothing({ clear }: { clear: () => void }) {
  return (
    <div className="py-24 text-center">
      <p className="text-lg text-soft">No matching commands.</p>
      <button type="button" onClick={clear} className="mt-4 min-h-11 text-link underline underline-offset-4">
        Show all commands
      </button>
    </div>
  );
}

/** Scrolls to the top, or to the command named in the URL. */
function useStart() {
  const { hash } = useLocation();
  useEffect(() => {
    const named = hash && document.getElementById(decodeURIComponent(hash.slice(1)));
    if (named) named.scrollIntoView({ behavior: "instant", block: "center" });
    else scrollTo({ top: 0, behavior: "instant" });
  }, [hash]);
}

/** The slash key focuses a field, except while typing elsewhere. */
function useSlashToFocus(field: RefObject<HTMLInputElement | null>) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
        return;
      event.preventDefault();
      field.current?.focus();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [field]);
}

function isTyping(target: EventTarget | null) {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
