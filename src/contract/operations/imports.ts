import { flag, idOf, schemaNamed } from "../vocabulary/fields";
import { operation } from "./operation";

export const importFile = operation({
  name: "import.make",
  roles: ["operator", "owner"],
  code: true,
  reason: "required",
  call: "POST imports/{id}",
  id: idOf({ label: "File", about: "What `PUT imports/{what}` answered" }),
  answers: "importStarted",
  means: "The job's id, or the preview",
  fields: {
    columns: schemaNamed({
      label: "Columns",
      schema: "importColumns",
      otherwise: {},
      about: "What the file calls a field, by field; empty if it has none. Others go by their own names",
    }),
    link_anyway: flag({
      label: "Link anyway",
      otherwise: false,
      about: "Links Discord ids that may be rounded too",
    }),
    unconfirmed: flag({
      label: "Unconfirmed",
      otherwise: false,
      about: "Nobody has proven that these mailboxes are the customers' own",
    }),
    preview: flag({ label: "Preview", about: "Only says what would become of each line" }),
  },
  summary: "Import the keys or customers of a file that was sent",
  description:
    "Lines that are refused are left out. Each line is decided again when its turn comes; `GET jobs/{id}/result.csv` says what became of it, for seven days. With `preview`, nothing is changed and no code is needed.",
});
