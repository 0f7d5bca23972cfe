import { X } from "lucide-react";
import { useRef, useState } from "react";
import type { Me } from "@/contract/wire/accounts";
import { Logo } from "../../../parts/logo";
import { Button } from "../../../ui/button";
import { Sheet, SheetClose, SheetContent, SheetTitle, SheetTrigger } from "../../../ui/sheet";
import { NavigationButton } from "./navigation-button";
import { SideNavigation } from "./side-navigation";

/** The side navigation on a phone with its button, open at first. */
export function NavigationSheet({ user }: { user: Me | null }) {
  const [open, setOpen] = useState(true);
  const chosen = useRef(false);
  const show = (shown: boolean) => {
    chosen.current = false;
    setOpen(shown);
  };
  return (
    <Sheet open={open} onOpenChange={show}>
      <SheetTrigger asChild>
        <NavigationButton />
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
