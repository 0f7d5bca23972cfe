/*
 * On a phone every row is a card whose cells name their column (`data-label`). The roles are written
 * out because browsers forget a table's own as soon as its parts are displayed otherwise.
 */
/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role */
import type { ComponentProps } from "react";
import { cn } from "./cn";

export function Table({ className, ...props }: ComponentProps<"table">) {
  return (
    <table
      role="table"
      data-slot="table"
      className={cn(
        "block w-full border-separate border-spacing-x-0 border-spacing-y-2 text-sm md:table",
        className,
      )}
      {...props}
    />
  );
}

export function TableHeader({ className, ...props }: ComponentProps<"thead">) {
  return (
    <thead
      role="rowgroup"
      data-slot="table-header"
      className={cn("sr-only md:not-sr-only md:table-header-group", className)}
      {...props}
    />
  );
}

export function TableBody({ className, ...props }: ComponentProps<"tbody">) {
  return (
    <tbody
      role="rowgroup"
      data-slot="table-body"
      className={cn("flex flex-col gap-3 md:table-row-group", className)}
      {...props}
    />
  );
}

export function TableRow({ className, ...props }: ComponentProps<"tr">) {
  return (
    <tr
      role="row"
      data-slot="table-row"
      className={cn("group/row block rounded-lg border p-1 md:table-row md:border-0", className)}
      {...props}
    />
  );
}

export function TableHead({ className, children, ...props }: ComponentProps<"th">) {
  return (
    <th
      role="columnheader"
      scope="col"
      data-slot="table-head"
      className={cn(
        "px-4 pb-1 text-left text-xs font-medium tracking-wide whitespace-nowrap text-muted-foreground uppercase",
        className,
      )}
      {...props}
    >
      {children}
    </th>
  );
}

export function TableCell({ className, ...props }: ComponentProps<"td">) {
  return (
    <td
      role="cell"
      data-slot="table-cell"
      className={cn(
        "flex min-h-10 items-center justify-between gap-4 px-3 py-1 text-right before:text-xs before:text-muted-foreground before:content-[attr(data-label)]",
        "md:table-cell md:h-14 md:border-y md:bg-white/2 md:px-4 md:text-left md:align-middle md:whitespace-nowrap md:transition-colors md:before:content-none md:first:rounded-l-lg md:first:border-l md:last:rounded-r-lg md:last:border-r",
        className,
      )}
      {...props}
    />
  );
}
