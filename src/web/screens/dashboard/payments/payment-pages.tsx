import { useLocation, useSearchParams } from "react-router";
import type { Payment } from "@/contract/payments";
import { isPlainOrder } from "../../../parts/payment/order";
import {
  Pagination,
  PaginationContent,
  PaginationItem,
  PaginationLink,
  PaginationNext,
  PaginationPrevious,
} from "../../../ui/pagination";
import { PaymentTable } from "./payment-table";

const pageSize = 5;

/** The payments, five at a time; the page is the URL's `?page`. */
export function PaymentPages({ payments }: { payments: readonly Payment[] }) {
  const [query] = useSearchParams();
  const pages = Math.ceil(payments.length / pageSize);
  const page = pageOf(query.get("page"), pages);
  const link = usePageLink();
  const first = (page - 1) * pageSize;
  return (
    <>
      <PaymentTable
        payments={payments.slice(first, first + pageSize)}
        orders={!payments.every(isPlainOrder)}
      />
      {pages > 1 && (
        <div className="flex flex-col items-center justify-between gap-3 sm:flex-row">
          <output className="text-xs text-muted-foreground">
            {first + 1}–{Math.min(first + pageSize, payments.length)} of {payments.length}
          </output>
          <Pagination>
            <PaginationContent>
              <PaginationItem>
                <PaginationPrevious {...(page === 1 ? { ...link(1), ...disabled } : link(page - 1))} />
              </PaginationItem>
              {around(page, pages).map((number) => (
                <PaginationItem key={number}>
                  <PaginationLink aria-label={`Page ${number}`} isActive={number === page} {...link(number)}>
                    {number}
                  </PaginationLink>
                </PaginationItem>
              ))}
              <PaginationItem>
                <PaginationNext {...(page === pages ? { ...link(pages), ...disabled } : link(page + 1))} />
              </PaginationItem>
            </PaginationContent>
          </Pagination>
        </div>
      )}
    </>
  );
}

const disabled = { "aria-disabled": true, tabIndex: -1 };

/** Links to a page of the list; keeps the hash, which may name a tab. */
function usePageLink() {
  const { hash } = useLocation();
  return (page: number) => ({
    to: { search: `?page=${page}`, hash },
    replace: true,
    preventScrollReset: true,
  });
}

/** Clamped to the pages there are; anything but a number is the first. */
function pageOf(asked: string | null, pages: number) {
  return Math.min(Math.max(1, Math.trunc(Number(asked)) || 1), pages);
}

/** At most five page numbers, including the current one. */
function around(page: number, pages: number) {
  const first = Math.max(1, Math.min(page - 2, pages - 4));
  return Array.from({ length: Math.min(5, pages) }, (_, at) => first + at);
}
