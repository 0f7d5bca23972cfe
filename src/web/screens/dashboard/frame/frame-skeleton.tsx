import { cn } from "../../../lib/utils";
import { Skeleton } from "../../../ui/skeleton";
import { sidebarWidth } from "./sidebar";

/** The dashboard's skeleton while the session loads. */
export function FrameSkeleton({ collapsed }: { collapsed: boolean }) {
  return (
    <main className="flex min-h-dvh">
      <h1 className="sr-only">
        <output>Loading your dashboard…</output>
      </h1>
      <div
        className={cn(
          "hidden shrink-0 flex-col gap-3 border-r bg-sidebar p-3 lg:flex",
          sidebarWidth(collapsed),
        )}
      >
        <Skeleton className="mb-6 h-9" />
        {["a", "b", "c", "d", "e", "f"].map((row) => (
          <Skeleton key={row} className="h-8" />
        ))}
      </div>
      <div className="flex flex-1 flex-col">
        <div className="flex h-16 items-center justify-between border-b px-4">
          <Skeleton className="h-5 w-32" />
          <Skeleton className="size-9 rounded-full" />
        </div>
        <div className="mx-auto flex w-full max-w-6xl flex-col gap-6 p-4 sm:p-6 lg:p-8">
          <PageSkeleton />
        </div>
      </div>
    </main>
  );
}

/** A page's skeleton while its code loads. */
export function PageSkeleton() {
  return (
    <>
      <Skeleton className="h-8 w-48" />
      <Skeleton className="h-40 rounded-xl" />
    </>
  );
}
