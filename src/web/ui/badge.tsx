import type { ComponentProps } from "react";
import type { Tone } from "@/contract/vocabulary/state-words";
import { cn } from "../lib/utils";
import { tones } from "./tones";

export function Badge({ className, tone, ...props }: ComponentProps<"span"> & { tone?: Tone }) {
  return (
    <span
      data-slot="badge"
      className={cn(
        "inline-flex w-fit shrink-0 items-center gap-1.5 rounded-full border px-2.5 py-0.5 text-xs font-medium whitespace-nowrap [&>svg]:size-3.5 [&>svg]:shrink-0",
        tone ? tones[tone] : "border-ring/40 bg-tint/15 text-link",
        className,
      )}
      {...props}
    />
  );
}
