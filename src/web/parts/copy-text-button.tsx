import { Check, Copy } from "lucide-react";
import type { ComponentProps } from "react";
import { useCopied } from "./use-copied";
import { Button } from "../ui/button";
import { SaysCopied } from "./copy-button";

type Props = Omit<ComponentProps<typeof Button>, "onClick" | "children"> & { text: string; label: string };

/** A labelled button that copies a text and confirms it for a moment. */
export function CopyTextButton({ text, label, ...button }: Props) {
  const [copied, copy] = useCopied(text);
  return (
    <>
      <Button type="button" aria-label={label} {...button} onClick={() => void copy()}>
        {copied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
        {/* both words take their place, so that the button keeps its width */}
        <span className="grid *:[grid-area:1/1]">
          <span className={copied ? "invisible" : ""}>{label}</span>
          {copied && <span>Copied</span>}
        </span>
      </Button>
      <SaysCopied copied={copied} />
    </>
  );
}
