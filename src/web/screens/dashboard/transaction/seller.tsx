import { cn } from "../../../lib/utils";

/** Who sold it, as the mailed receipt names them. A process of the previous release answers without. */
export function Seller({ lines, className }: { lines: string[] | undefined; className: string }) {
  if (!lines?.length) return null;
  return (
    <address className={cn("text-xs wrap-anywhere whitespace-pre-line not-italic", className)}>
      {lines.join("\n")}
    </address>
  );
}
