import { Link, NavLink } from "react-router";
import { brand } from "@/brand/brand";
import { Mark } from "../../../parts/mark";
import { useMe } from "../parts/me";
import { deskPagesOf } from "../parts/desk-pages";

/** The desk's pages on wide screens; on a tablet their icons alone. */
export function SideNavigation() {
  const me = useMe();
  return (
    <aside className="sticky top-0 hidden h-dvh w-16 shrink-0 flex-col overflow-y-auto border-r bg-sidebar md:flex lg:w-52 print:hidden">
      <Link
        to="/desk"
        className="flex h-14 shrink-0 items-center justify-center gap-2.5 border-b font-semibold lg:justify-start lg:px-5"
      >
        <Mark className="size-6 text-link" />
        <span className="sr-only lg:not-sr-only">{brand.shortName} desk</span>
      </Link>
      <nav aria-label="Desk" className="p-2.5">
        <ul className="flex flex-col gap-0.5">
          {deskPagesOf(me).map(({ name, to, icon: Icon }) => (
            <li key={to}>
              <NavLink
                to={to}
                end={to === "/desk"}
                title={name}
                className="flex h-11 items-center justify-center gap-3 rounded-md px-3 text-sm text-muted-foreground transition-colors hover:bg-sidebar-accent/70 hover:text-foreground aria-[current=page]:bg-primary/18 aria-[current=page]:font-medium aria-[current=page]:text-foreground lg:h-9 lg:justify-start [&>svg]:size-4 [&>svg]:shrink-0 aria-[current=page]:[&>svg]:text-link"
              >
                <Icon aria-hidden="true" />
                <span className="sr-only lg:not-sr-only">{name}</span>
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
    </aside>
  );
}
