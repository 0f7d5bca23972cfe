import { PanelLeft, Search } from "lucide-react";
import type { Me } from "@/contract/wire/accounts";
import { useHydrated } from "../../../hooks/use-hydrated";
import { late } from "../../../parts/late";
import { LostBar } from "../../../parts/lost";
import { Button } from "../../../ui/button";
import { Skeleton } from "../../../ui/skeleton";
import { ownSystem } from "../../../parts/own-system";
import { AvatarButton } from "./avatar-button";
import { LateMenu } from "./late-menu";
import { NavigationButton } from "./navigation-button";
import { PathBreadcrumb } from "./path-breadcrumb";

const AvatarMenu = late(async () => (await import("./avatar-menu")).AvatarMenu, { instead: LostBar });
const NavigationSheet = late(async () => (await import("./navigation-sheet")).NavigationSheet, {
  instead: LostBar,
});

type Props = { user: Me | null; collapsed: boolean; onToggle: () => void; onSearch: () => void };

/** The header of every page: navigation toggle, breadcrumb and account menu. */
export function Header(props: Props) {
  return (
    <header className="sticky top-0 short:static z-20 flex h-16 shrink-0 items-center gap-2 border-b bg-background/80 px-2 backdrop-blur-md sm:px-4 print:hidden">
      <LateMenu load={NavigationSheet.load} button={<NavigationButton />}>
        {() => <NavigationSheet user={props.user} />}
      </LateMenu>
      <Button
        variant="ghost"
        size="icon"
        className="hidden text-muted-foreground lg:inline-flex"
        aria-label={props.collapsed ? "Expand navigation" : "Collapse navigation"}
        aria-expanded={!props.collapsed}
        aria-controls="sidebar"
        onClick={props.onToggle}
      >
        <PanelLeft />
      </Button>
      <div className="hidden h-5 w-px bg-border lg:mr-2 lg:block" />
      <PathBreadcrumb />
      <div className="ml-auto flex shrink-0 items-center gap-1 sm:gap-3">
        <PaletteButton onPress={props.onSearch} />
        <Avatar user={props.user} />
      </div>
    </header>
  );
}

function Avatar({ user }: { user: Me | null }) {
  if (!user) return <Skeleton className="m-1 size-9 rounded-full" />;
  return (
    <LateMenu load={AvatarMenu.load} button={<AvatarButton user={user} />}>
      {(byKeyboard) => <AvatarMenu user={user} byKeyboard={byKeyboard} />}
    </LateMenu>
  );
}

/** Opens the palette and shows its shortcut. */
function PaletteButton({ onPress }: { onPress: () => void }) {
  // the page as served doesn't know the system
  const onMac = useHydrated() && ownSystem() === "mac";
  return (
    <Button
      variant="ghost"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      className="w-11 px-0 text-muted-foreground sm:w-auto sm:border sm:border-border sm:px-3 md:min-h-9"
      onClick={onPress}
    >
      <Search aria-hidden="true" />
      <span className="sr-only text-[0.8125rem] font-normal sm:not-sr-only">Search</span>
      <kbd className="hidden rounded border px-1.5 py-0.5 font-sans text-[0.6875rem] font-normal sm:inline">
        {onMac ? "⌘K" : "Ctrl K"}
      </kbd>
    </Button>
  );
}
