import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { PatientButton } from "./patient-button";

/** The parts of a list's query that the button uses. */
export type FurtherRows = Pick<
  UseInfiniteQueryResult,
  "hasNextPage" | "fetchNextPage" | "isFetchingNextPage" | "isFetchNextPageError" | "error"
>;

/** A button that loads the next rows of a list; nothing at its end. */
export function ShowMore({ list, children = "Show more" }: { list: FurtherRows; children?: string }) {
  if (!list.hasNextPage) return null;
  return (
    <div className="flex justify-center">
      <PatientButton
        variant="outline"
        size="sm"
        pending={list.isFetchingNextPage}
        doing="Loading…"
        problem={list.isFetchNextPageError ? list.error : null}
        onClick={() => void list.fetchNextPage()}
      >
        {children}
      </PatientButton>
    </div>
  );
}
