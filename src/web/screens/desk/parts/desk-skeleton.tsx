import { Skeleton } from "../../../ui/skeleton";

/** The desk while it is not known who wants to enter. */
export function DeskSkeleton() {
  return (
    <main className="flex min-h-dvh">
      <h1 className="sr-only">
        <output>Loading the desk…</output>
      </h1>
      <div className="hidden w-16 shrink-0 border-r bg-sidebar md:block lg:w-52" />
      <div className="flex flex-1 flex-col">
        <div className="h-14 border-b" />
        <div className="flex flex-col gap-6 p-4 sm:p-6">
          <DeskPageSkeleton />
        </div>
      </div>
    </main>
  );
}

/** A page of the desk while its code loads. */
export function DeskPageSkeleton() {
  return (
    <>
      <Skeleton className="h-8 w-48" />
      <Skeleton className="h-64 rounded-xl" />
    </>
  );
}
