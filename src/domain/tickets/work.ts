import type { Ctx } from "@/core/context";
import type { Handler } from "@/core/outbox";
import { copyFile, fileTopic } from "./files";
import { eraseAtDiscord, eraseTopic } from "./forget";
import { keepTicket } from "./keep";
import { lookAtTicket, lookTopic } from "./look";
import { keepTopic } from "./open";
import type { TicketRoom } from "./room";
import { sayTopic, sayWhatIsDue } from "./say";

/** How the outbox makes Discord look as the tickets say. */
export const ticketWork = (ctx: Ctx, room: TicketRoom): Record<string, Handler> => ({
  [keepTopic]: ({ subject }) => keepTicket(ctx, room, subject),
  [lookTopic]: ({ subject }) => lookAtTicket(ctx, room, subject),
  [fileTopic]: ({ subject }) => copyFile(ctx, room, subject),
  [eraseTopic]: (job) => eraseAtDiscord(room, job),
  [sayTopic]: (job) => sayWhatIsDue(ctx, room, job),
});
