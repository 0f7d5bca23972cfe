import { Menu, PanelLeft, Search, X } from "lucide-react";
import { useRef, useState } from "react";
import type { Me } from "@/contract/accounts";
import { Logo } from "../../../parts/logo";
import { Button } from "../../../ui/button";
import { Sheet, SheetClose, SheetContent, SheetTitle, SheetTrigger } from "../../../ui/sheet";
import { ownSystem } from "../download/own-system";
import { AvatarMenu } from "./avatar-menu";
import { PathBreadcrumb } from "./path-breadcrumb";
import { SideNavigation } from "./side-navigation";

/** The header of every page: navigation toggle, breadcrumb and account menu. */
export function Header(props: { user: Me; collapsed: boolean; onToggle: () => void; onSearch: () => void }) {
  return (
    <header className="sticky top-0 z-20 flex h-16 shrink-0 items-center gap-2 border-b bg-background/80 px-2 backdrop-blur-md sm:px-4 print:hidden">
      <NavigationSheet user={props.user} />
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
      <div className="ml-auto flex items-center gap-1 sm:gap-3">
        <PaletteButton onPress={props.onSearch} />
        <AvatarMenu user={props.user} />
      </div>
    </header>
  );
}

/** The side navigation on a phone. */
function NavigationSheet({ user }: { user: Me }) {
  const [open, setOpen] = useState(false);
  const chosen = useRef(false);
  const show = (shown: boolean) => {
    chosen.current = false;
    setOpen(shown);
  };
  return (
    <Sheet open={open} onOpenChange={show}>
      <SheetTrigger asChild>
        <Button variant="ghost" size="icon" className="lg:hidden" aria-label="Open navigation">
          <Menu className="size-5" />
        </Button>
      </SheetTrigger>
      <SheetContent
        side="left"
        showCloseButton={false}
        aria-describedby={undefined}
        // the chosen page's heading gets the focus
        onCloseAutoFocus={(event) => chosen.current && event.preventDefault()}
        className="w-72 max-w-[85vw] overflow-y-auto bg-sidebar text-sidebar-foreground"
      >
        <SheetTitle className="sr-only">Navigation</SheetTitle>
        <div className="flex h-16 shrink-0 items-center justify-between border-b pr-2 pl-5">
          <Logo />
          <SheetClose asChild>
            <Button variant="ghost" size="icon" aria-label="Close navigation">
              <X className="size-5" />
            </Button>
          </SheetClose>
        </div>
        <SideNavigation
          user={user}
          collapsed={false}
          onChoose={() => {
            chosen.current = true;
            setOpen(false);
          }}
        />
      </SheetContent>
    </Sheet>
  );
}

/** Opens the palette and shows its shortcut. */
function PaletteButton({ onPress }: { onPress: () => void }) {
  return (
    <Button
      variant="ghost"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      className="w-11 px-0 text-muted-foreground sm:w-auto sm:border sm:border-border sm:px-3 md:h-9"
      onClick={onPress}
    >
      <Search aria-hidden="true" />
      <span className="sr-only text-[13px] font-normal sm:not-sr-only">Search</span>
      <kbd className="hidden rounded border px-1.5 py-0.5 font-sans text-[11px] font-normal sm:inline">
        {ownSystem() === "mac" ? "⌘K" : "Ctrl K"}
      </kbd>
    </Button>
  );
}
