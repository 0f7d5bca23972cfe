import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { cn } from "../lib/utils";
import { Button } from "../ui/button";
import { copyText } from "./clipboard";

/** Copies a text and confirms it for a moment; `words` stand beside the icon. */
export function CopyButton(props: { text: string; label: string; words?: string; className?: string }) {
  const { text, label, words, className } = props;
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    const timer = copied ? setTimeout(() => setCopied(false), 2_000) : undefined;
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => setCopied(await copyText(text));
  return (
    <Button
      type="button"
      variant={words ? "outline" : "ghost"}
      size={words ? "default" : "icon"}
      className={cn(words ? "min-w-28" : "text-muted-foreground", className)}
      aria-label={copied ? "Copied" : label}
      onClick={(event) => {
        event.stopPropagation();
        void copy();
      }}
    >
      {copied ? <Check className="text-success" /> : <Copy />}
      {words && <span aria-hidden="true">{copied ? "Copied" : words}</span>}
      <output className="sr-only">{copied ? "Copied" : ""}</output>
    </Button>
  );
}
