import type { ReactElement } from "react";
import { Tooltip, TooltipContent, TooltipTrigger } from "../../../ui/tooltip";

/** Says what an entry of the navigation is, or why it is locked. */
export function EntryHint({ text, children }: { text: string; children: ReactElement }) {
  return (
    <Tooltip>
      <TooltipTrigger asChild>{children}</TooltipTrigger>
      <TooltipContent side="right">{text}</TooltipContent>
    </Tooltip>
  );
}
