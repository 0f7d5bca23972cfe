import { ReceiptText } from "lucide-react";
import { useEffect } from "react";
import { useLocation, useSearchParams } from "react-router";
import type { Payment } from "@/contract/wire/payments";
import { Problem } from "../../../parts/problem";
import { RowsSkeleton } from "../../../parts/rows-skeleton";
import type { FurtherRows } from "../../../parts/show-more";
import { Empty } from "../../../parts/empty";
import {
  Pagination,
  PaginationContent,
  PaginationItem,
  PaginationLink,
  PaginationNext,
  PaginationPrevious,
} from "../../../ui/pagination";
import { PaymentTable } from "./payment-table";
import { StateFilter, stateIn } from "./state-filter";

const pageSize = 5;
/** How many payments make a filter worth its place. */
const filteredFrom = 20;
/** The page loads payments up to the URL's page, unless that is more than this many pages ahead. */
const mostPagesAhead = 200;

type Props = {
  /** The payments loaded so far. */
  payments: readonly Payment[];
  list: FurtherRows;
};

/** The payments, five at a time; the page is the URL's `?page`, and `?state` leaves only those of one status. */
export function PaymentPages({ payments: all, list }: Props) {
  const [query] = useSearchParams();
  const state = stateIn(query);
  const payments = state === null ? all : all.filter(({ status }) => status === state);
  const loaded = Math.ceil(payments.length / pageSize);
  // one page beyond the loaded ones while there are more
  const pages = loaded + (list.hasNextPage ? 1 : 0);
  const page = reachable(pageOf(query.get("page")), { pages, goesOn: list.hasNextPage });
  useLoadedUpTo(page, { loaded, list });
  const link = usePageLink();
  const first = (page - 1) * pageSize;
  return (
    <>
      {(all.length >= filteredFrom || state !== null) && <StateFilter state={state} />}
      {page > loaded && list.hasNextPage && <Unloaded list={list} />}
      {pages === 0 && <Empty icon={ReceiptText}>No payments with this status</Empty>}
      {page <= loaded && pages > 0 && <PaymentTable payments={payments.slice(first, first + pageSize)} />}
      {pages > 1 && (
        <div className="flex flex-col items-center justify-between gap-3 sm:flex-row">
          <output className="text-xs text-muted-foreground">
            {page <= loaded &&
              `${first + 1}–${Math.min(first + pageSize, payments.length)} of ${payments.length}${list.hasNextPage ? "+" : ""}`}
          </output>
          <Pagination>
            <PaginationContent>
              <PaginationItem>
                <PaginationPrevious {...(page === 1 ? { ...link(1), ...disabled } : link(page - 1))} />
              </PaginationItem>
              {around(Math.min(page, pages), pages).map((number) => (
                <PaginationItem key={number}>
                  <PaginationLink aria-label={`Page ${number}`} isActive={number === page} {...link(number)}>
                    {number}
                  </PaginationLink>
                </PaginationItem>
              ))}
              <PaginationItem>
                <PaginationNext {...(page >= pages ? { ...link(pages), ...disabled } : link(page + 1))} />
              </PaginationItem>
            </PaginationContent>
          </Pagination>
        </div>
      )}
    </>
  );
}

/** Loads the list until it has the page and the next one. */
function useLoadedUpTo(page: number, { loaded, list }: { loaded: number; list: FurtherRows }) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list;
  const isDue = hasNextPage && page >= loaded && !isFetchingNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (isDue) void fetchNextPage();
  }, [isDue, fetchNextPage]);
}

function Unloaded({ list: { error, isFetchNextPageError, fetchNextPage } }: { list: FurtherRows }) {
  if (error && isFetchNextPageError) return <Problem problem={error} retry={() => void fetchNextPage()} />;
  return <RowsSkeleton rows={pageSize} />;
}

const disabled = { "aria-disabled": true, tabIndex: -1 };

/** Links to a page of the list; keeps the status, and the hash, which may name a tab. */
function usePageLink() {
  const { hash } = useLocation();
  const [query] = useSearchParams();
  const state = stateIn(query);
  return (page: number) => ({
    to: { search: `?${new URLSearchParams({ ...(state && { state }), page: String(page) })}`, hash },
    replace: true,
    preventScrollReset: true,
  });
}

function reachable(wanted: number, { pages, goesOn }: { pages: number; goesOn: boolean }): number {
  if (wanted <= pages) return wanted;
  if (!goesOn) return Math.max(1, pages);
  return wanted <= mostPagesAhead ? wanted : 1;
}

/** Anything but a number means the first page. */
function pageOf(asked: string | null) {
  return Math.max(1, Math.trunc(Number(asked)) || 1);
}

/** At most five page numbers, including the current one. */
function around(page: number, pages: number) {
  const first = Math.max(1, Math.min(page - 2, pages - 4));
  return Array.from({ length: Math.min(5, pages) }, (_, at) => first + at);
}
