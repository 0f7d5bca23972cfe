import { Link } from "react-router";
import { brand } from "@/brand/brand";
import type { Me } from "@/contract/wire/accounts";
import { Mark } from "../../../parts/mark";
import { cn } from "../../../lib/utils";
import { SideNavigation } from "./side-navigation";

const sidebarWidth = (collapsed: boolean) => (collapsed ? "w-16" : "w-60");

/** The side navigation on wide screens. */
export function Sidebar({ user, collapsed }: { user: Me | null; collapsed: boolean }) {
  return (
    <aside
      id="sidebar"
      data-state={collapsed ? "collapsed" : "open"}
      className={cn(
        "sticky top-0 hidden h-dvh shrink-0 flex-col overflow-y-auto border-r bg-sidebar transition-[width] duration-200 lg:flex print:hidden",
        sidebarWidth(collapsed),
      )}
    >
      <Link
        to="/"
        className={cn(
          "flex h-16 shrink-0 items-center gap-2.5 border-b px-5 font-semibold",
          collapsed && "justify-center px-0",
        )}
      >
        <Mark className="size-7 text-link" />
        <span className={cn(collapsed && "sr-only")}>{brand.shortName}</span>
      </Link>
      <SideNavigation user={user} collapsed={collapsed} />
    </aside>
  );
}
