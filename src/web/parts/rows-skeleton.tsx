import { Skeleton } from "../ui/skeleton";

/** A list's skeleton while it loads. */
export function RowsSkeleton({ rows }: { rows: number }) {
  return (
    <output aria-label="Loading" className="@container flex flex-col gap-2">
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} className="h-44 rounded-lg @3xl:h-14" />
      ))}
    </output>
  );
}
