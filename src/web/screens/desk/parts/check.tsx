import { type ReactNode, useId } from "react";
import { Checkbox } from "../../../ui/checkbox";

/** A box to check, with its words. */
export function Check(props: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
  children: ReactNode;
}) {
  const { checked, onChange, disabled = false, children } = props;
  const id = useId();
  return (
    <label htmlFor={id} className="flex min-h-11 items-center gap-3 text-sm md:min-h-8">
      <Checkbox
        id={id}
        checked={checked}
        disabled={disabled}
        onCheckedChange={(now) => onChange(now === true)}
      />
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </label>
  );
}
