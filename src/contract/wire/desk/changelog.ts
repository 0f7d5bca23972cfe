import { z } from "zod";
import { instant } from "../envelope";
import { oneLine } from "../../vocabulary/plain-words";
import { cleaned } from "../typed-text";
import { withReason } from "./reason";
import { mostOfATitle, mostOfNews } from "../../vocabulary/bounds";

export const changelogRow = z.object({
  id: z.string().describe("A release's version, or the id of other news"),
  release: z
    .boolean()
    .describe(
      "Whether these are a release's notes, which can be edited but are removed only with the release",
    ),
  date: instant,
  title: z.string(),
  content: z.string().describe("Markdown"),
});
export type ChangelogRow = z.infer<typeof changelogRow>;

export const title = z
  .string()
  .max(1_000)
  .overwrite(oneLine)
  .refine(
    (text) => text.length >= 1 && text.length <= mostOfATitle,
    `must have 1 to ${mostOfATitle} characters`,
  );
export const notes = z.string().max(mostOfNews).overwrite(cleaned).describe("Markdown");

export const newsBody = withReason({ title, content: notes });

export const newsChangeBody = withReason({ title: title.optional(), content: notes.optional() }).refine(
  (body) => body.title !== undefined || body.content !== undefined,
  { message: "Send title or content", path: ["title"], params: { isSentence: true } },
);

export const changelogParams = z.object({
  id: z.string().max(100).describe("A release's version, or the id of other news"),
});
