import { ChevronLeft, ChevronRight } from "lucide-react";
import type { ComponentProps } from "react";
import { Link } from "react-router";
import { cn } from "../lib/utils";
import { type Button, buttonVariants } from "./button";

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

export function PaginationItem(props: ComponentProps<"li">) {
  return <li data-slot="pagination-item" {...props} />;
}

type PaginationLinkProps = ComponentProps<typeof Link> &
  Pick<ComponentProps<typeof Button>, "size"> & { isActive?: boolean };

export function PaginationLink({ className, isActive, size = "icon", ...props }: PaginationLinkProps) {
  return (
    <Link
      aria-current={isActive ? "page" : undefined}
      data-slot="pagination-link"
      data-active={isActive}
      className={cn(
        buttonVariants({ variant: isActive ? "outline" : "ghost", size }),
        "aria-disabled:pointer-events-none aria-disabled:opacity-50",
        className,
      )}
      {...props}
    />
  );
}

export function PaginationPrevious(props: ComponentProps<typeof PaginationLink>) {
  return (
    <PaginationLink aria-label="Go to previous page" {...props}>
      <ChevronLeft />
    </PaginationLink>
  );
}

export function PaginationNext(props: ComponentProps<typeof PaginationLink>) {
  return (
    <PaginationLink aria-label="Go to next page" {...props}>
      <ChevronRight />
    </PaginationLink>
  );
}
