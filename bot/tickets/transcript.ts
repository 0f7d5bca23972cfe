import { AttachmentBuilder } from "discord.js";
import type { Transcript } from "@/domain/tickets/transcript";
import { written } from "@/domain/tickets/written";

/** Discord takes 10 MiB with a message: https://discord.com/developers/docs/reference#uploading-files */
const mostPlainBytes = 8 * 1024 * 1024;

/** A transcript as a file to read in Discord and to save; one too long for a message is packed. */
export function transcriptFile(transcript: Transcript, reader: "member" | "staff"): AttachmentBuilder {
  const text = Buffer.from(written(transcript, reader));
  const name = `ticket-${transcript.ticket.number}.txt`;
  if (text.length <= mostPlainBytes) return new AttachmentBuilder(text, { name });
  return new AttachmentBuilder(Buffer.from(Bun.gzipSync(text)), { name: `${name}.gz` });
}
