import { Newspaper, Pencil, Trash2 } from "lucide-react";
import type { ChangelogRow } from "@/contract/wire/desk/changelog";
import { writeDesk } from "../../../api/desk/call";
import { Collection, type CollectionDefinition } from "../collection/collection";
import { useMe } from "../parts/me";
import { NewsEntry } from "../../../parts/changelog";
import { upTo } from "../operation/checks";
import type { Operation, OperationField, Typed } from "../operation/operation";
import { When } from "../parts/when";
import { mostOfATitle, mostOfNews } from "@/contract/vocabulary/bounds";

const changelog: CollectionDefinition<ChangelogRow> = {
  title: "Changelog",
  lead: "What customers read on their dashboard. A release's notes go only with the release.",
  path: "changelog",
  icon: Newspaper,
  columns: [
    { id: "title", name: "Title", cell: ({ title }) => title, leads: true, width: "minmax(0,1.5fr)" },
    {
      id: "content",
      name: "Text",
      cell: ({ content }) => content.split("\n")[0],
      width: "minmax(0,2fr)",
    },
    { id: "release", name: "Of", cell: ({ release, id }) => (release ? id : "News"), width: "7rem" },
    { id: "date", name: "Date", cell: ({ date }) => <When at={date} />, width: "8rem" },
  ],
  nameOf: ({ title }) => title,
  empty: "Nothing has been written yet.",
};

/** The entries of the changelog, and what owners do with them. */
export function Changelog() {
  const isOwner = useMe().role === "owner";
  return (
    <Collection
      of={changelog}
      make={isOwner ? [write] : []}
      operationsOf={(entry) => (isOwner ? operationsOf(entry) : [])}
    />
  );
}

const fields = (title = "", content = ""): OperationField[] => [
  { name: "title", label: "Title", initial: title, check: upTo(mostOfATitle) },
  {
    name: "content",
    label: "Text",
    type: "textarea",
    initial: content,
    optional: true,
    hint: "Line breaks are kept.",
    check: upTo(mostOfNews),
  },
];

/** The entry as the dashboard shows it. */
const asShown =
  (date: string) =>
  ({ title = "", content = "" }: Typed) => (
    <ol>
      <NewsEntry entry={{ title, content, date }} />
    </ol>
  );

const write: Operation = {
  name: "Write news",
  icon: Newspaper,
  consequence: () => "Every customer sees it on their dashboard at once.",
  fields: fields(),
  preview: (typed) => asShown(new Date().toISOString())(typed),
  run: ({ title, content }, reason) => writeDesk("changelog", { title, content, reason }),
  done: () => "The news is there",
};

function operationsOf({ id, title, content, release, date }: ChangelogRow): Operation[] {
  const edit: Operation = {
    name: "Edit",
    icon: Pencil,
    consequence: () => `Customers read the new text of “${title}” at once.`,
    fields: fields(title, content),
    preview: asShown(date),
    run: (typed, reason) =>
      writeDesk(`changelog/${encodeURIComponent(id)}/edit`, {
        title: typed["title"],
        content: typed["content"],
        reason,
      }),
    done: () => "The text is changed",
  };
  const remove: Operation = {
    name: "Remove",
    icon: Trash2,
    grave: true,
    consequence: () => `Nobody reads “${title}” any more.`,
    run: (_, reason) => writeDesk(`changelog/${encodeURIComponent(id)}/remove`, { reason }),
    done: () => "The entry is gone",
  };
  return release ? [edit] : [edit, remove];
}
