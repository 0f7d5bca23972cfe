import type { ComponentProps } from "react";
import { cn } from "../lib/utils";

export function Input({ className, ...props }: ComponentProps<"input">) {
  return (
    <input
      data-slot="input"
      className={cn(
        // 16 px on phones: iOS zooms into smaller inputs
        "h-11 w-full min-w-0 rounded-md border border-input bg-field px-3 text-base transition-[border-color,box-shadow] outline-none placeholder:text-placeholder disabled:cursor-not-allowed disabled:opacity-50 md:h-10 md:text-sm",
        "hover:border-input-hover focus-visible:border-ring focus-visible:ring-3 focus-visible:ring-ring/35",
        "aria-invalid:border-destructive aria-invalid:ring-3 aria-invalid:ring-destructive/25",
        className,
      )}
      {...props}
    />
  );
}
