import { ChevronLeft, ChevronRight } from "lucide-react";
import type { ComponentProps } from "react";
import { Button } from "./button";
import { cn } from "../lib/utils";

export function Pagination({ className, ...props }: ComponentProps<"nav">) {
  return (
    <nav
      aria-label="Pagination"
      data-slot="pagination"
      className={cn("flex justify-center", className)}
      {...props}
    />
  );
}

export function PaginationContent({ className, ...props }: ComponentProps<"ul">) {
  return (
    <ul data-slot="pagination-content" className={cn("flex items-center gap-1", className)} {...props} />
  );
}

export function PaginationButton({
  isActive = false,
  ...props
}: ComponentProps<typeof Button> & { isActive?: boolean }) {
  return (
    <Button
      data-slot="pagination-button"
      size="icon"
      variant={isActive ? "outline" : "ghost"}
      aria-current={isActive ? "page" : undefined}
      {...props}
    />
  );
}

export function PaginationPrevious(props: ComponentProps<typeof Button>) {
  return (
    <PaginationButton aria-label="Previous page" {...props}>
      <ChevronLeft />
    </PaginationButton>
  );
}

export function PaginationNext(props: ComponentProps<typeof Button>) {
  return (
    <PaginationButton aria-label="Next page" {...props}>
      <ChevronRight />
    </PaginationButton>
  );
}
