import { Check, Copy } from "lucide-react";
import { type ComponentProps, useEffect, useState } from "react";
import { Button } from "../ui/button";
import { copyText } from "./clipboard";
import { notify } from "./notices";

type Props = Omit<ComponentProps<typeof Button>, "onClick" | "children"> & { text: string; label: string };

/** A labelled button that copies a text and confirms it for a moment; says so if the browser forbids it. */
export function CopyTextButton({ text, label, ...button }: Props) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    const timer = copied ? setTimeout(() => setCopied(false), 2_000) : undefined;
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    if (await copyText(text)) setCopied(true);
    else notify("error", "Your browser doesn't allow copying here. Select the text and copy it yourself.");
  };
  return (
    <Button type="button" aria-label={copied ? "Copied" : label} {...button} onClick={() => void copy()}>
      {copied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
      {/* both words take their place, so that the button keeps its width */}
      <span className="grid *:[grid-area:1/1]">
        <span className={copied ? "invisible" : ""}>{label}</span>
        {copied && <span>Copied</span>}
      </span>
      <output className="sr-only">{copied ? "Copied" : ""}</output>
    </Button>
  );
}
