import type { ComponentProps } from "react";
import { cn } from "../lib/utils";

export function Textarea({ className, ...props }: ComponentProps<"textarea">) {
  return (
    <textarea
      data-slot="textarea"
      className={cn(
        // 16 px on phones: iOS zooms into smaller inputs.
        "field-sizing-content min-h-20 w-full rounded-md border border-input bg-field px-3 py-2 text-base transition-[border-color,box-shadow] outline-none placeholder:text-placeholder disabled:cursor-not-allowed disabled:opacity-50 md:text-sm",
        "hover:border-input-hover focus-visible:border-ring focus-visible:ring-3 focus-visible:ring-ring/35",
        "aria-invalid:border-destructive aria-invalid:ring-3 aria-invalid:ring-destructive/25",
        className,
      )}
      {...props}
    />
  );
}
