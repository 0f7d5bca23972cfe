import { Fragment } from "react";
import { Link, useLocation } from "react-router";
import { pageNameAt } from "../../../page/titles";
import { cn } from "../../../lib/utils";
import {
  Breadcrumb,
  BreadcrumbItem,
  BreadcrumbLink,
  BreadcrumbList,
  BreadcrumbPage,
  BreadcrumbSeparator,
} from "../../../ui/breadcrumb";

/** The page above each page that isn't directly below the dashboard. */
export const parents: Readonly<Record<string, string>> = {
  "/dashboard/transaction": "/dashboard/payments",
  "/dashboard/ticket": "/dashboard/tickets",
};

/** On a phone only the nearest page above fits, and with a large font none. */
const roomFor = (steps: number) => cn("hidden", steps > 1 ? "sm:inline-flex" : "@min-[10rem]:inline-flex");

/** The breadcrumb: the pages above the shown one, by their names, and its own. */
export function PathBreadcrumb() {
  const path = useLocation().pathname.replace(/\/$/, "");
  const parent = parents[path];
  const above = path === "/dashboard" ? [] : ["/dashboard", ...(parent ? [parent] : [])];
  return (
    <Breadcrumb className="@container min-w-0 flex-1">
      <BreadcrumbList>
        {above.map((to, at) => (
          <Fragment key={to}>
            {/* each needs its room, and goes with its separator */}
            <BreadcrumbItem className={roomFor(above.length - at)}>
              <BreadcrumbLink asChild>
                <Link to={to}>
                  <span className="truncate">{pageNameAt(to)}</span>
                </Link>
              </BreadcrumbLink>
            </BreadcrumbItem>
            <BreadcrumbSeparator className={roomFor(above.length - at)} />
          </Fragment>
        ))}
        <BreadcrumbItem className="hidden @min-[2.5rem]:inline-flex">
          <BreadcrumbPage className="truncate">{pageNameAt(path)}</BreadcrumbPage>
        </BreadcrumbItem>
      </BreadcrumbList>
    </Breadcrumb>
  );
}
