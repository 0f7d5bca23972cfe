import { CopyTextButton } from "../../../parts/copy-text-button";

/** A secret in the answer of an operation, to copy before the dialog closes. */
export function ShownOnce({ text, note }: { text: string; note: string }) {
  return (
    <div className="flex flex-col gap-3">
      <p className="text-sm">{note}</p>
      <div className="flex flex-wrap items-center justify-between gap-3 rounded-md border bg-well p-3">
        <code className="font-mono text-sm wrap-anywhere">{text}</code>
        <CopyTextButton text={text} label="Copy" variant="outline" size="sm" />
      </div>
    </div>
  );
}
