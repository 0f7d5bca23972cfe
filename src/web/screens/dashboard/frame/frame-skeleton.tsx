import { useLocation } from "react-router";
import { pageNameAt } from "../../../page/titles";
import { Skeleton } from "../../../ui/skeleton";
import { EarlyStatusCard } from "../home/early-status-card";

/** Shown in a page's place until it is known who is signed in, as in the page as served. */
export function SessionSkeleton() {
  return (
    <>
      <h1 className="sr-only">
        <output>Loading your dashboard…</output>
      </h1>
      <PageSkeleton />
    </>
  );
}

/** A page's skeleton while its code loads: its name, where its heading will be. */
export function PageSkeleton() {
  const { pathname } = useLocation();
  return (
    <>
      <div className="flex flex-col gap-1">
        <p aria-hidden="true" className="text-2xl font-semibold tracking-tight">
          {pageNameAt(pathname)}
        </p>
        {!bare.includes(pathname) && <Skeleton className="h-5 w-64" />}
      </div>
      {pathname === "/dashboard" ? <EarlyStatusCard /> : <Skeleton className="h-40 rounded-xl" />}
    </>
  );
}

/** Whose heading is their name alone. */
const bare = ["/dashboard", "/dashboard/license", "/dashboard/download"];
