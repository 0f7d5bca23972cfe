/*
 * On narrow screens every row is a card whose cells name their column (`data-label`). The roles are explicit
 * because browsers drop a table's implicit ones once its parts have another `display`.
 */
/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role, jsx-a11y/prefer-tag-over-role */
import type { ComponentProps } from "react";
import { cn } from "../lib/utils";

/** A long table scrolls under its sticky header. */
export function Table({ className, ...props }: ComponentProps<"table">) {
  return (
    <div
      role="group"
      data-slot="table-container"
      aria-label={props["aria-label"]}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling area must be reachable by keyboard
      tabIndex={0}
      className="scroll-panel @container max-h-[60vh] overflow-y-auto rounded-md"
    >
      <table
        role="table"
        data-slot="table"
        className={cn(
          "block w-full border-separate border-spacing-x-0 border-spacing-y-2 text-sm @3xl:table",
          className,
        )}
        {...props}
      />
    </div>
  );
}

export function TableHeader({ className, ...props }: ComponentProps<"thead">) {
  return (
    <thead
      role="rowgroup"
      data-slot="table-header"
      className={cn("sr-only @3xl:not-sr-only @3xl:table-header-group", className)}
      {...props}
    />
  );
}

export function TableBody({ className, ...props }: ComponentProps<"tbody">) {
  return (
    <tbody
      role="rowgroup"
      data-slot="table-body"
      className={cn("flex flex-col gap-3 @3xl:table-row-group", className)}
      {...props}
    />
  );
}

export function TableRow({ className, ...props }: ComponentProps<"tr">) {
  return (
    <tr
      role="row"
      data-slot="table-row"
      className={cn("group/row block rounded-lg border p-1 @3xl:table-row @3xl:border-0", className)}
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
        "bg-card px-3 pt-2 pb-1 text-left text-xs font-medium tracking-wide whitespace-nowrap text-muted-foreground uppercase @3xl:sticky @5xl:px-4 @3xl:top-0 @3xl:z-10",
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
        // with a large font, both do not fit side by side on a phone
        "@max-[14rem]:flex-col @max-[14rem]:px-1 @max-[14rem]:items-start @max-[14rem]:justify-start @max-[14rem]:gap-0 @max-[14rem]:text-left @max-[14rem]:wrap-anywhere",
        "@3xl:table-cell @3xl:h-14 @3xl:border-y @3xl:bg-veil/2 @3xl:px-3 @3xl:text-left @3xl:align-middle @3xl:whitespace-nowrap @3xl:transition-colors @3xl:before:content-none @3xl:first:rounded-l-lg @3xl:first:border-l @3xl:last:rounded-r-lg @3xl:last:border-r @5xl:px-4",
        className,
      )}
      {...props}
    />
  );
}
