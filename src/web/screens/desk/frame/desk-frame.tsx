import { useQueryClient } from "@tanstack/react-query";
import { Suspense, useEffect, useState } from "react";
import { useLocation } from "react-router";
import { brand } from "@/brand/brand";
import type { DeskMe } from "@/contract/wire/desk/staff";
import { onDeskLeft } from "../../../api/desk/call";
import { watchTouches, onTouchAfterPause } from "../../../api/desk/presence";
import { forgetDesk } from "../../../api/desk/session";
import { late } from "../../../parts/late";
import { LostBar } from "../../../parts/lost";
import { useKeys } from "../../../parts/keys";
import { ConfirmDialog } from "../enter/confirm-dialog";
import { DeskScreens } from "./screens";
import { BottomBar } from "./bottom-bar";
import { DeskPageSkeleton } from "../parts/desk-skeleton";
import { Header } from "./header";
import { Me } from "../parts/me";
import { goKeysOf, deskPageOf } from "../parts/desk-pages";
import { shortcutsOf } from "./shortcut-list";
import { SideNavigation } from "./side-navigation";

const Palette = late(async () => (await import("../palette/palette")).Palette, { instead: LostBar });
const Shortcuts = late(async () => (await import("../../../parts/shortcuts")).Shortcuts, {
  instead: LostBar,
});

/**
 * What every page of the desk has around it: navigation, search and commands (⌘K, /), shortcuts (?), the dialog that asks
 * for a code. Pages find who is here by `useMe()`, and add commands to the palette by `useCommands()`.
 */
export function DeskFrame({ me }: { me: DeskMe }) {
  const [searching, search] = useState(false);
  const [listing, list] = useState(false);
  const skip = useSkipLink();
  useKeys({
    places: goKeysOf(me),
    onPalette: () => search(!searching),
    onFind: () => search(true),
    onShortcuts: () => list(true),
  });
  useStay();
  useTitle();
  return (
    <Me value={me}>
      {skip.link}
      <div className="flex min-h-dvh">
        <SideNavigation />
        <div className="flex min-w-0 flex-1 flex-col">
          <Header onSearch={() => search(true)} onShortcuts={() => list(true)} />
          <main
            id={skip.target}
            tabIndex={-1}
            className="mx-auto flex w-full max-w-7xl flex-1 flex-col gap-6 p-4 pb-28 outline-none sm:p-6 md:pb-10"
          >
            <Suspense fallback={<DeskPageSkeleton />}>
              <DeskScreens />
            </Suspense>
          </main>
        </div>
      </div>
      <BottomBar />
      <ConfirmDialog />
      {searching && (
        <Suspense>
          <Palette onClose={() => search(false)} onShortcuts={() => list(true)} />
        </Suspense>
      )}
      {listing && (
        <Suspense>
          <Shortcuts shortcuts={shortcutsOf(me)} onClose={() => list(false)} />
        </Suspense>
      )}
    </Me>
  );
}

/** Leaves when the shop says so; after a pause, the first touch asks for everything on the page again. */
function useStay() {
  const queries = useQueryClient();
  useEffect(() => {
    const ends = [
      watchTouches(),
      onDeskLeft(() => forgetDesk(queries)),
      onTouchAfterPause(() => void queries.invalidateQueries({ queryKey: ["desk"] })),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [queries]);
}

function useTitle() {
  const { pathname } = useLocation();
  useEffect(() => {
    document.title = `${deskPageOf(pathname)?.name ?? "Page not found"} · Desk · ${brand.product}`;
  }, [pathname]);
}

const target = "content";

/** A link to the page's content for those who go by Tab, and the id of that content. */
function useSkipLink() {
  const link = (
    <a
      href={`#${target}`}
      className="fixed top-2 left-2 z-50 -translate-y-24 rounded-md bg-primary px-4 py-3 text-sm font-medium text-primary-foreground focus:translate-y-0"
      onClick={(event) => {
        // a hash would be taken for a part of the page
        event.preventDefault();
        document.getElementById(target)?.focus();
      }}
    >
      Skip to content
    </a>
  );
  return { link, target };
}
