import { Newspaper, Pencil, Trash2 } from "lucide-react";
import { addNews, editNews, listChangelog, removeNews } from "@/contract/operations/products";
import type { ChangelogRow } from "@/contract/wire/desk/changelog";
import { Collection, type CollectionDefinition } from "../collection/collection";
import { NewsEntry } from "../../../parts/changelog";
import { deskOperation, type Operation, type FieldTexts } from "../operation/operation";
import { whenColumn } from "../table/columns";

const changelog: CollectionDefinition<ChangelogRow> = {
  title: "Changelog",
  lead: "What customers read on their dashboard. Release notes stay as long as their release.",
  list: listChangelog,
  icon: Newspaper,
  columns: [
    { id: "title", name: "Title", cell: ({ title }) => title, leads: true, width: "minmax(0,1.5fr)" },
    {
      id: "content",
      name: "Text",
      cell: ({ content }) => content.split("\n")[0],
      width: "minmax(0,2fr)",
    },
    { id: "release", name: "Release", cell: ({ release, id }) => (release ? id : "News"), width: "7rem" },
    whenColumn("date", "Date", ({ date }) => date, { width: "8rem", phone: "time" }),
  ],
  nameOf: ({ title }) => title,
  empty: "No entries yet.",
};

/** The entries of the changelog, and what owners do with them. */
export const Changelog = () => <Collection of={changelog} make={[write]} operationsOf={operationsOf} />;

/** The entry as the dashboard shows it. */
const asShown =
  (date: string) =>
  ({ title = "", content = "" }: FieldTexts) => (
    <ol>
      <NewsEntry entry={{ title: title || "Title", content, date }} />
    </ol>
  );

const write = deskOperation(addNews, {
  name: "Write news",
  icon: Newspaper,
  consequence: () => "Every customer sees it on their dashboard right away.",
  preview: (typed) => asShown(new Date().toISOString())(typed),
  done: () => "News published",
});

function operationsOf({ id, title, content, release, date }: ChangelogRow): Operation[] {
  const edit = deskOperation(editNews, {
    id,
    name: "Edit",
    icon: Pencil,
    consequence: () => `Customers see the new text of “${title}” right away.`,
    fields: { title: { initial: title, optional: false }, content: { initial: content } },
    preview: asShown(date),
    done: () => "Text changed",
  });
  const remove = deskOperation(removeNews, {
    id,
    name: "Remove",
    icon: Trash2,
    grave: true,
    consequence: () => `Removes “${title}” from customers' dashboards.`,
    done: () => "Entry removed",
  });
  return release ? [edit] : [edit, remove];
}
