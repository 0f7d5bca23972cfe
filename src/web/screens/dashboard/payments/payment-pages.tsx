import { useState } from "react";
import type { Payment } from "@/contract/payments";
import {
  Pagination,
  PaginationButton,
  PaginationContent,
  PaginationNext,
  PaginationPrevious,
} from "../../../ui/pagination";
import { PaymentTable } from "./payment-table";

const pageSize = 5;

/** The payments, five at a time. */
export function PaymentPages({ payments }: { payments: readonly Payment[] }) {
  const [wanted, turnTo] = useState(1);
  const pages = Math.ceil(payments.length / pageSize);
  // A list that got shorter has fewer pages.
  const page = Math.min(wanted, pages);
  const first = (page - 1) * pageSize;
  return (
    <>
      <PaymentTable payments={payments.slice(first, first + pageSize)} />
      {pages > 1 && (
        <div className="flex flex-col items-center justify-between gap-3 sm:flex-row">
          <output className="text-xs text-muted-foreground">
            {first + 1}–{Math.min(first + pageSize, payments.length)} of {payments.length}
          </output>
          <Pagination>
            <PaginationContent>
              <li>
                <PaginationPrevious disabled={page === 1} onClick={() => turnTo(page - 1)} />
              </li>
              {around(page, pages).map((number) => (
                <li key={number}>
                  <PaginationButton
                    aria-label={`Page ${number}`}
                    isActive={number === page}
                    onClick={() => turnTo(number)}
                  >
                    {number}
                  </PaginationButton>
                </li>
              ))}
              <li>
                <PaginationNext disabled={page === pages} onClick={() => turnTo(page + 1)} />
              </li>
            </PaginationContent>
          </Pagination>
        </div>
      )}
    </>
  );
}

/** At most five page numbers, including the current one. */
function around(page: number, pages: number) {
  const first = Math.max(1, Math.min(page - 2, pages - 4));
  return Array.from({ length: Math.min(5, pages) }, (_, at) => first + at);
}
