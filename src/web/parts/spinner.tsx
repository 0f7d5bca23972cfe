import { LoaderCircle } from "lucide-react";
import { cn } from "../ui/cn";

/** Something is under way; say what in words beside it. */
export function Spinner({ className }: { className?: string }) {
  return <LoaderCircle aria-hidden="true" className={cn("size-4 animate-spin", className)} />;
}
