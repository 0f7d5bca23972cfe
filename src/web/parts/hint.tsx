import { type ReactNode, useState } from "react";
import { Tooltip, TooltipContent, TooltipTrigger } from "../ui/tooltip";

/** A button that says more when it is pointed at or focused, and, for those who can't do either, tapped. */
export function Hint(props: { says: string; label?: string; className?: string; children: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <Tooltip open={open} onOpenChange={setOpen}>
      <TooltipTrigger
        type="button"
        aria-label={props.label}
        className={props.className}
        // The tooltip's own answer to a press is to close.
        onPointerDown={(event) => event.preventDefault()}
        onClick={(event) => {
          event.preventDefault();
          event.stopPropagation();
          setOpen(true);
        }}
      >
        {props.children}
      </TooltipTrigger>
      <TooltipContent>{props.says}</TooltipContent>
    </Tooltip>
  );
}
