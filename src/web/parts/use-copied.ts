import { useEffect, useState } from "react";
import { copyText } from "./clipboard";
import { notify } from "../page/notices";

/** Whether the text was copied a moment ago, and a function that copies it; says so if the browser forbids that. */
export function useCopied(text: string) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    const timer = copied ? setTimeout(() => setCopied(false), 2_000) : undefined;
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    if (await copyText(text)) setCopied(true);
    else notify("error", "Your browser doesn't allow copying here. Select the text and copy it yourself.");
  };
  return [copied, copy] as const;
}
