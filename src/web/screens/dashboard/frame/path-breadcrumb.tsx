import { Fragment } from "react";
import { Link, useLocation } from "react-router";
import { pageNameAt } from "../../../page-titles";
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
const parents: Readonly<Record<string, string>> = {
  "/dashboard/transaction": "/dashboard/payments",
  "/dashboard/ticket": "/dashboard/tickets",
  "/dashboard/offline": "/dashboard/settings",
};

/** The breadcrumb: the pages above the shown one, by their names, and its own. */
export function PathBreadcrumb() {
  const path = useLocation().pathname.replace(/\/$/, "");
  const parent = parents[path];
  const above = path === "/dashboard" ? [] : ["/dashboard", ...(parent ? [parent] : [])];
  return (
    <Breadcrumb>
      <BreadcrumbList>
        {above.map((to, at) => (
          <Fragment key={to}>
            {/* on a phone only the nearest page above has room */}
            <BreadcrumbItem className={cn(at < above.length - 1 && "hidden sm:inline-flex")}>
              <BreadcrumbLink asChild>
                <Link to={to}>
                  <span className="truncate">{pageNameAt(to)}</span>
                </Link>
              </BreadcrumbLink>
            </BreadcrumbItem>
            <BreadcrumbSeparator className={cn(at < above.length - 1 && "hidden sm:inline-flex")} />
          </Fragment>
        ))}
        <BreadcrumbItem>
          <BreadcrumbPage className="truncate">{pageNameAt(path)}</BreadcrumbPage>
        </BreadcrumbItem>
      </BreadcrumbList>
    </Breadcrumb>
  );
}
