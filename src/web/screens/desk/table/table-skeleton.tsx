import { Skeleton } from "../../../ui/skeleton";

const rows = ["a", "b", "c", "d", "e", "f", "g", "h"];

/** A list while its first rows load. */
export function TableSkeleton() {
  return (
    <div className="flex flex-col gap-1">
      <output className="sr-only">Loading…</output>
      {rows.map((row) => (
        <Skeleton key={row} className="h-14 md:h-11" />
      ))}
    </div>
  );
}
