import { LoaderCircle } from "lucide-react";
import { cn } from "../lib/utils";

/** A spinner; put words next to it. */
export function Spinner({ className }: { className?: string }) {
  return <LoaderCircle aria-hidden="true" className={cn("size-4 animate-spin", className)} />;
}
