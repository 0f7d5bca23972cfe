import { z } from "zod";
import { mostTyped, mostOfAReplysName } from "../../vocabulary/bounds";
import { typedText } from "../typed-text";
import { reasonBody, withReason } from "./reason";

const mostNote = 4_000;
const textBody = z.strictObject({ text: typedText(mostTyped) });

/** The bodies of `POST /api/desk/tickets/:id/VERB`, by verb; each answers with the ticket's row. */
export const ticketBodies = {
  messages: textBody,
  notes: z.strictObject({ text: typedText(mostNote) }),
  claim: reasonBody,
  unclaim: reasonBody,
  /** The customer reads the reason. */
  close: reasonBody,
  reopen: reasonBody,
} as const;

const replyName = typedText(mostOfAReplysName).describe("What staff find it by");
const replyFields = { name: replyName, text: typedText(mostTyped) };

/** A text that staff answer with often. */
export const savedReply = z.object({ id: z.string(), name: z.string(), text: z.string() });
export type SavedReply = z.infer<typeof savedReply>;

/** `GET /api/desk/replies`, by name. */
export const savedReplies = z.array(savedReply);
/** `POST /api/desk/replies` and `POST /api/desk/replies/:id/change`; both answer with the {@link savedReply}. */
export const replyBody = withReason(replyFields);
/** `POST /api/desk/replies/:id/remove` takes the reason and answers with the id. */
export const removedReply = z.object({ id: z.string() });
