import { Skeleton } from "../ui/skeleton";

/** A list's outline while it is fetched. */
export function RowsSkeleton({ rows }: { rows: number }) {
  return (
    <output aria-label="Loading" className="flex flex-col gap-2 md:pt-6">
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} className="h-36 rounded-lg md:h-14" />
      ))}
    </output>
  );
}
