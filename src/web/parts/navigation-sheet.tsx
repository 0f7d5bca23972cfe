import { Menu, X } from "lucide-react";
import { Link } from "react-router";
import { Sheet, SheetClose, SheetContent, SheetTitle, SheetTrigger } from "../ui/sheet";
import { sections } from "./navigation-links";

/** The navigation bar's links on a narrow screen, and the button that opens them. */
export function NavigationSheet() {
  return (
    <Sheet>
      <SheetTrigger
        aria-label="Menu"
        className="-mr-2 grid size-11 place-items-center rounded-full hover:bg-white/8 lg:hidden noscript:hidden"
      >
        <Menu aria-hidden="true" className="size-5.5" />
      </SheetTrigger>
      <SheetContent
        showCloseButton={false}
        aria-describedby={undefined}
        className="w-[min(22rem,88vw)] overflow-y-auto p-4 sm:max-w-none"
      >
        <SheetTitle className="sr-only">Menu</SheetTitle>
        <SheetClose
          aria-label="Close menu"
          className="ml-auto grid size-11 shrink-0 place-items-center rounded-full hover:bg-white/8"
        >
          <X aria-hidden="true" className="size-5.5" />
        </SheetClose>
        <ul className="mt-4 flex flex-col">
          {[...sections, ["/commands", "Commands"] as const].map(([to, name]) => (
            <li key={to}>
              <SheetClose asChild>
                <Link to={to} className={link}>
                  {name}
                </Link>
              </SheetClose>
            </li>
          ))}
          <li>
            <a href="/discord" className={link}>
              Discord
            </a>
          </li>
        </ul>
      </SheetContent>
    </Sheet>
  );
}

const link = "flex min-h-13 items-center border-b px-3 text-lg font-medium";
