import { Check } from "lucide-react";
import { Checkbox as Primitive } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "../lib/utils";

export function Checkbox({ className, ...props }: ComponentProps<typeof Primitive.Root>) {
  return (
    <Primitive.Root
      data-slot="checkbox"
      className={cn(
        // the square is small, what a finger meets is not
        "peer relative size-5 shrink-0 after:absolute after:-inset-3 rounded-[4px] border border-input transition-colors disabled:cursor-not-allowed disabled:opacity-50 data-[state=checked]:border-chart-1 data-[state=checked]:bg-primary data-[state=checked]:text-primary-foreground",
        className,
      )}
      {...props}
    >
      <Primitive.Indicator data-slot="checkbox-indicator" className="grid place-content-center">
        <Check aria-hidden="true" className="size-4" strokeWidth={3} />
      </Primitive.Indicator>
    </Primitive.Root>
  );
}
