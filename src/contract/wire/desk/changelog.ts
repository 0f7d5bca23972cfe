import { z } from "zod";
import { instant } from "../envelope";

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
