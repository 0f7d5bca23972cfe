import { cn } from "../../lib/utils";

/** A license key, struck through if it is unusable. */
export function KeyText({ text, dead, className }: { text: string; dead: boolean; className?: string }) {
  const Tag = dead ? "s" : "span";
  return <Tag className={cn("font-mono break-all", className)}>{text}</Tag>;
}
