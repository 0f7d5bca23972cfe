import { Ellipsis } from "lucide-react";
import { useRef, useState } from "react";
import { NavLink, useLocation } from "react-router";
import { Sheet, SheetContent, SheetTitle, SheetTrigger } from "../../../ui/sheet";
import { useMe } from "../parts/me";
import { deskPageOf, deskPagesOf } from "../parts/desk-pages";

const look =
  "flex min-h-14 flex-1 flex-col items-center justify-center gap-1 text-[0.6875rem] text-muted-foreground -outline-offset-4 aria-[current=page]:font-medium aria-[current=page]:text-foreground [&>svg]:size-5 aria-[current=page]:[&>svg]:text-link";

/** The desk's pages at the lower edge of a phone: the most wanted at once, the others in a sheet. */
export function BottomBar() {
  const me = useMe();
  return (
    <nav
      aria-label="Desk"
      data-slot="bottom-bar"
      className="fixed inset-x-0 bottom-0 z-30 flex border-t bg-sidebar pb-[env(safe-area-inset-bottom)] md:hidden print:hidden"
    >
      {deskPagesOf(me)
        .filter(({ thumb }) => thumb)
        .map(({ name, to, icon: Icon }) => (
          <NavLink key={to} to={to} end={to === "/desk"} className={look}>
            <Icon aria-hidden="true" />
            <span>{name}</span>
          </NavLink>
        ))}
      <More />
    </nav>
  );
}

function More() {
  const [open, setOpen] = useState(false);
  const chosen = useRef(false);
  const { pathname } = useLocation();
  const me = useMe();
  const isHere = deskPageOf(pathname)?.thumb !== true;
  const show = (shown: boolean) => {
    chosen.current = false;
    setOpen(shown);
  };
  return (
    <Sheet open={open} onOpenChange={show}>
      <SheetTrigger className={look} aria-current={isHere ? "page" : undefined}>
        <Ellipsis aria-hidden="true" />
        More
      </SheetTrigger>
      <SheetContent
        side="bottom"
        aria-describedby={undefined}
        // the chosen page's heading gets the focus
        onCloseAutoFocus={(event) => chosen.current && event.preventDefault()}
        className="rounded-t-xl bg-sidebar pb-[env(safe-area-inset-bottom)] text-sidebar-foreground"
      >
        <SheetTitle className="px-5 pt-5 pb-2">All pages</SheetTitle>
        <ul className="grid grid-cols-2 gap-1 p-3">
          {deskPagesOf(me).map(({ name, to, icon: Icon }) => (
            <li key={to}>
              <NavLink
                to={to}
                end={to === "/desk"}
                onClick={() => {
                  chosen.current = true;
                  setOpen(false);
                }}
                className="flex min-h-12 items-center gap-3 rounded-md px-3 text-sm text-soft aria-[current=page]:bg-primary/18 aria-[current=page]:text-foreground [&>svg]:size-4"
              >
                <Icon aria-hidden="true" />
                <span>{name}</span>
              </NavLink>
            </li>
          ))}
        </ul>
      </SheetContent>
    </Sheet>
  );
}
