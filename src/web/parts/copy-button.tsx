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

/** Outside the button: some screen readers never announce a live region inside, which is part of its name. */
export const SaysCopied = ({ copied }: { copied: boolean }) => (
  <output className="sr-only">{copied ? "Copied" : ""}</output>
);
