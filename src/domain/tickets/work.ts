import type { Ctx } from "@/core/context";
import type { Handlers } from "@/core/outbox";
import type { BuildStore } from "../releases/store";
import { copyFile, fileTopic, formerFileTopic } from "./files";
import { eraseAtDiscord, eraseTopic } from "./forget";
import { keepTicket } from "./keep";
import { lookAtTicket, lookTopic } from "./look";
import { keepTopic } from "./open";
import type { TicketRoom } from "./ticket-channels";
import { sayTopic, sayWhatIsDue } from "./say";

/** How the outbox makes Discord look as the tickets say. */
export function ticketWork(ctx: Ctx, room: TicketRoom, files: BuildStore) {
  const copy = ({ subject }: { subject: string }) => copyFile(ctx, { room, files }, subject);
  return {
    [keepTopic]: ({ subject }) => keepTicket(ctx, room, subject),
    [lookTopic]: ({ subject }) => lookAtTicket(ctx, room, subject),
    [fileTopic]: copy,
    [formerFileTopic]: copy,
    [eraseTopic]: (job) => eraseAtDiscord(room, job),
    [sayTopic]: (job) => sayWhatIsDue(ctx, room, job),
  } satisfies Handlers;
}
