import { cn } from "../../../lib/utils";

/** The seller, as on the emailed receipt. */
export function Seller({ lines, className }: { lines: string[] | undefined; className: string }) {
  if (!lines?.length) return null;
  return (
    <address className={cn("text-xs wrap-anywhere whitespace-pre-line not-italic", className)}>
      {lines.join("\n")}
    </address>
  );
}
