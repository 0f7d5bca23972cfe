import { ArrowUpRight, Lock } from "lucide-react";
import { lazy, type ReactElement, type ReactNode, Suspense } from "react";
import { Link, useLocation } from "react-router";
import type { Me } from "@/contract/wire/accounts";
import { texts } from "@/contract/vocabulary/texts";
import { useUnreadTickets } from "../../../api/tickets";
import { notify } from "../../../page/notices";
import { cn } from "../../../lib/utils";
import { type Entry, navigationOf } from "../navigation";
import { parents } from "./path-breadcrumb";

/** Tooltips load after the page; without their code the entries still work. */
const EntryHint = lazy(async () => ({
  default: await import("./entry-hint").then((module) => module.EntryHint).catch(() => EntryAlone),
}));

const EntryAlone = (props: { text: string; children: ReactElement }) => props.children;

/** `user` is null while the account is not known. */
type Look = { user: Me | null; collapsed: boolean; onChoose?: () => void };

/** The dashboard's pages by group; icons only when collapsed. */
export function SideNavigation(look: Look) {
  return (
    <nav aria-label="Dashboard" className="flex flex-col gap-5 p-3">
      {navigationOf(look.user).map(({ group, entries }) => (
        <div key={group} className="flex flex-col gap-0.5">
          <p
            aria-hidden="true"
            className={cn(
              "flex h-7 items-center px-3 text-[0.6875rem] font-medium tracking-widest text-muted-foreground uppercase",
              look.collapsed && "justify-center px-0",
            )}
          >
            {look.collapsed ? <span className="h-px w-6 bg-border" /> : group}
          </p>
          <ul aria-label={group} className="flex flex-col gap-0.5">
            {entries.map((entry) => (
              <li key={entry.name} data-needs={entry.needs}>
                <Named entry={entry} look={look} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/** Collapsed and locked entries have a tooltip. */
function Named({ entry, look }: { entry: Entry; look: Look }) {
  const locked = Boolean(entry.licensed) && look.user?.active_license === false;
  const hint = locked ? texts.downloadLocked : look.collapsed ? entry.name : null;
  const shown = locked ? <LockedEntry entry={entry} look={look} /> : <OpenEntry entry={entry} look={look} />;
  if (hint === null) return shown;
  return (
    <Suspense fallback={shown}>
      <EntryHint text={hint}>{shown}</EntryHint>
    </Suspense>
  );
}

const entryClasses = (collapsed: boolean) =>
  cn(
    "flex h-11 w-full items-center gap-3 rounded-md px-3 text-sm text-muted-foreground transition-colors hover:bg-sidebar-accent/70 hover:text-foreground md:h-9 [&>svg]:size-4 [&>svg]:shrink-0",
    "aria-[current=page]:bg-primary/18 aria-[current=page]:font-medium aria-[current=page]:text-foreground aria-[current=page]:[&>svg]:text-link",
    collapsed && "justify-center px-0",
  );

function OpenEntry({ entry, look, ...rest }: { entry: Entry; look: Look }) {
  const { name, to, icon: Icon } = entry;
  const here = useLocation().pathname.replace(/\/$/, "");
  const inside = (
    <>
      <Icon aria-hidden="true" />
      <Name collapsed={look.collapsed}>{name}</Name>
      {entry.to === "/dashboard/tickets" && look.user && <UnreadDot />}
    </>
  );
  if (!entry.external)
    return (
      <Link
        {...rest}
        to={to}
        aria-current={(parents[here] ?? here) === to ? "page" : undefined}
        onClick={look.onChoose}
        className={entryClasses(look.collapsed)}
      >
        {inside}
      </Link>
    );
  return (
    <a {...rest} href={to} target="_blank" rel="noreferrer" className={entryClasses(look.collapsed)}>
      {inside}
      {!look.collapsed && <ArrowUpRight aria-hidden="true" className="ml-auto opacity-60" />}
      <span className="sr-only">(opens in a new tab)</span>
    </a>
  );
}

/** An answer waits in a ticket. */
function UnreadDot() {
  if (!useUnreadTickets()) return null;
  return (
    <>
      <span aria-hidden="true" className="size-2 shrink-0 rounded-full bg-primary" />
      <span className="sr-only">(unread answer)</span>
    </>
  );
}

/** Focusable, so that keyboard users reach the tooltip, which says why it is locked. */
function LockedEntry({ entry, look, ...rest }: { entry: Entry; look: Look }) {
  const Icon = entry.icon;
  return (
    <button
      type="button"
      {...rest}
      aria-disabled="true"
      onClick={() => {
        look.onChoose?.();
        notify("info", texts.downloadLocked);
      }}
      className={cn(entryClasses(look.collapsed), "cursor-not-allowed! opacity-70 hover:bg-transparent")}
    >
      {look.collapsed ? <Lock aria-hidden="true" /> : <Icon aria-hidden="true" />}
      <Name collapsed={look.collapsed}>{entry.name}</Name>
      {!look.collapsed && <Lock aria-hidden="true" className="ml-auto" />}
      <span className="sr-only">(locked)</span>
    </button>
  );
}

function Name({ collapsed, children }: { collapsed: boolean; children: ReactNode }) {
  return <span className={cn(collapsed && "sr-only")}>{children}</span>;
}
