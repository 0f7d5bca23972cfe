import { Paperclip, X } from "lucide-react";
import { type ClipboardEvent, type DragEvent, useRef, useState } from "react";
import { maxFileBytes } from "@/contract/vocabulary/bounds";
import { Button } from "../ui/button";

const mebibyte = 1024 * 1024;

/** Why a file can't be sent, before it is. */
function refusalOf({ name, size }: File): string | null {
  if (size === 0) return `${name} is empty.`;
  return size > maxFileBytes ? `${name} is larger than ${maxFileBytes / mebibyte} MB.` : null;
}

/** The files that were chosen, pasted or dropped; those that can't be sent are named and left out. */
export function useFiles(first: File[] = []) {
  const [files, setFiles] = useState(first);
  const [refusal, setRefusal] = useState<string | null>(null);
  const add = (more: Iterable<File>) => {
    const all = [...more];
    const refusals = all.flatMap((file) => refusalOf(file) ?? []);
    setRefusal(refusals.join(" ") || null);
    setFiles((known) => [...known, ...all.filter((file) => refusalOf(file) === null)]);
  };
  const remove = (gone: File) => setFiles((known) => known.filter((file) => file !== gone));
  const take = (event: ClipboardEvent | DragEvent, items: FileList) => {
    if (items.length === 0) return;
    event.preventDefault();
    add(items);
  };
  return {
    files,
    refusal,
    add,
    remove,
    /** For the element on which files are pasted and dropped. */
    handlers: {
      onPaste: (event: ClipboardEvent) => take(event, event.clipboardData.files),
      onDragOver: (event: DragEvent) => event.preventDefault(),
      onDrop: (event: DragEvent) => take(event, event.dataTransfer.files),
    },
  };
}

export type Files = ReturnType<typeof useFiles>;

export function AttachButton({ files, isIcon = false }: { files: Files; isIcon?: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files"
        onChange={({ target }) => {
          files.add(target.files ?? []);
          target.value = "";
        }}
      />
      <Button
        type="button"
        variant={isIcon ? "ghost" : "outline"}
        size={isIcon ? "icon" : "default"}
        className="md:min-h-10"
        onClick={() => input.current?.click()}
      >
        <Paperclip aria-hidden="true" />
        <span className={isIcon ? "sr-only" : undefined}>Attach</span>
      </Button>
    </>
  );
}

/** The chosen files, each with a button that removes it, and why others were refused. */
export function ChosenFiles({ files: { files, refusal, remove } }: { files: Files }) {
  return (
    <>
      {files.length > 0 && (
        <ul aria-label="Files to send" className="flex flex-wrap gap-2">
          {files.map((file) => (
            <li
              key={`${file.name}:${file.size}:${file.lastModified}`}
              className="flex max-w-full items-center rounded-md border pl-3 text-sm"
            >
              <span className="truncate">{file.name}</span>
              <Button
                type="button"
                variant="ghost"
                size="icon"
                aria-label={`Remove ${file.name}`}
                onClick={() => remove(file)}
              >
                <X aria-hidden="true" />
              </Button>
            </li>
          ))}
        </ul>
      )}
      {refusal && (
        <p role="alert" className="text-sm text-destructive-text">
          {refusal}
        </p>
      )}
    </>
  );
}
