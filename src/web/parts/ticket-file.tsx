import { Paperclip } from "lucide-react";
import type { TicketMessage } from "@/contract/wire/tickets";
import { cn } from "../lib/utils";

const unkept = {
  waiting: "is being copied",
  too_large: "was too large to save",
  over_quota: "was not saved: the storage limit was reached",
  lost: "could not be saved",
} as const;

/** A file of a ticket's message: a picture, which opens at full size, a link, or why it is missing. `tickets` is the path of the call that serves it. */
export function TicketFile(props: {
  tickets: string;
  ticket: string;
  file: TicketMessage["files"][number];
  linkClass: string;
}) {
  const { tickets, ticket, file, linkClass } = props;
  if (file.state !== "kept") {
    return (
      <p className="mt-2 text-xs text-muted-foreground wrap-anywhere first:mt-0">
        {file.name} {unkept[file.state]}
      </p>
    );
  }
  const address = `${tickets}/${encodeURIComponent(ticket)}/files/${encodeURIComponent(file.id)}`;
  if (file.picture) {
    return (
      <a
        href={address}
        target="_blank"
        rel="noreferrer"
        className="mt-2 block w-fit max-w-full rounded-md first:mt-0"
      >
        <img
          src={address}
          alt={file.name}
          loading="lazy"
          width={320}
          height={224}
          className="h-56 w-80 max-w-full rounded-md border bg-well object-scale-down"
        />
        <span className="sr-only">(opens in a new tab)</span>
      </a>
    );
  }
  return (
    <a
      href={address}
      download={file.name}
      className={cn("flex items-center gap-2 text-sm text-link underline", linkClass)}
    >
      <Paperclip aria-hidden="true" className="size-4 shrink-0" />
      {file.name}
    </a>
  );
}
