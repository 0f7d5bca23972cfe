import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentProps } from "react";
import { cn } from "../lib/utils";

const alertVariants = cva(
  "flex items-start gap-3 rounded-lg border px-4 py-3 text-sm [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0",
  {
    variants: {
      variant: {
        default: "bg-card",
        destructive:
          "border-destructive/40 bg-destructive/10 text-destructive-alert [&>svg]:text-destructive",
        info: "border-info/35 bg-info/10 text-info-alert [&>svg]:text-info",
      },
    },
    defaultVariants: { variant: "default" },
  },
);

/** Screen readers announce it when it appears. */
export function Alert({
  className,
  variant,
  ...props
}: ComponentProps<"div"> & VariantProps<typeof alertVariants>) {
  return (
    <div data-slot="alert" role="alert" className={cn(alertVariants({ variant }), className)} {...props} />
  );
}
