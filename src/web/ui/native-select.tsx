import { ChevronDown } from "lucide-react";
import type { ComponentProps } from "react";
import { cn } from "../lib/utils";

type Props = ComponentProps<"select"> & { choices: readonly (readonly [value: string, words: string])[] };

/** The browser's own list of choices, in the look of an input; children are choices before these. */
export function NativeSelect({ className, choices, children, ...props }: Props) {
  return (
    <div data-slot="native-select-wrapper" className="relative">
      <select
        data-slot="native-select"
        className={cn(
          "h-11 w-full min-w-0 appearance-none rounded-md border border-input bg-field pr-9 pl-3 text-base outline-none hover:border-input-hover focus-visible:border-ring focus-visible:ring-3 focus-visible:ring-ring/35 md:h-9 md:text-sm [&>option]:bg-popover [&>option]:text-popover-foreground",
          className,
        )}
        {...props}
      >
        {children}
        {choices.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted-foreground"
      />
    </div>
  );
}
