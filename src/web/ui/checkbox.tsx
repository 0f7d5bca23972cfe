import { type ComponentProps, useId } from "react";
import { cn } from "../lib/utils";

/** The browser's native checkbox with its label. */
export function Checkbox({
  label,
  className,
  onCheckedChange,
  ...props
}: Omit<ComponentProps<"input">, "id" | "type" | "onChange"> & {
  label: string;
  onCheckedChange: (checked: boolean) => void;
}) {
  const id = useId();
  return (
    <div data-slot="checkbox" className={cn("flex min-h-11 items-center gap-3 text-sm", className)}>
      <input
        id={id}
        type="checkbox"
        className="size-5 shrink-0 cursor-pointer accent-primary"
        onChange={(event) => onCheckedChange(event.target.checked)}
        {...props}
      />
      <label htmlFor={id} className="cursor-pointer py-2 select-none">
        {label}
      </label>
    </div>
  );
}
