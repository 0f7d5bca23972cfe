import { Check, Copy } from "lucide-react";
import { useCopied } from "./use-copied";
import { cn } from "../lib/utils";
import { Button } from "../ui/button";

/** Copies a text and confirms it for a moment; `words` are shown next to the icon. */
export function CopyButton(props: { text: string; label: string; words?: string; className?: string }) {
  const { text, label, words, className } = props;
  const [copied, copy] = useCopied(text);
  return (
    <>
      <Button
        type="button"
        variant={words ? "outline" : "ghost"}
        size={words ? "default" : "icon"}
        className={cn(words ? "min-w-28" : "text-muted-foreground", className)}
        aria-label={label}
        onClick={(event) => {
          event.stopPropagation();
          void copy();
        }}
      >
        {copied ? <Check aria-hidden="true" className="text-success" /> : <Copy aria-hidden="true" />}
        {words && <span aria-hidden="true">{copied ? "Copied" : words}</span>}
      </Button>
      <SaysCopied copied={copied} />
    </>
  );
}

/** Beside the button: a live region inside it belongs to its name and is never announced in some screen readers. */
export const SaysCopied = ({ copied }: { copied: boolean }) => (
  <output className="sr-only">{copied ? "Copied" : ""}</output>
);
