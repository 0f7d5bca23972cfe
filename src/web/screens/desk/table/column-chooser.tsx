import { Checkbox } from "../../../ui/checkbox";
import type { Column } from "./columns";

/** Shows and hides columns of a list. */
export function ColumnChooser<Row>(props: {
  id: string;
  columns: readonly Column<Row>[];
  shown: Readonly<Record<string, boolean>>;
  show: (id: string, on: boolean) => void;
}) {
  const { id: group, columns, shown, show } = props;
  return (
    <fieldset
      id={group}
      aria-label="Columns"
      className="flex flex-wrap gap-x-6 rounded-lg border bg-card px-4 py-1"
    >
      {columns
        .filter(({ leads }) => !leads)
        .map(({ id, name }) => (
          <label key={id} className="flex min-h-11 items-center gap-2.5 text-sm">
            <Checkbox checked={shown[id] ?? false} onCheckedChange={(on) => show(id, on === true)} />
            {name}
          </label>
        ))}
    </fieldset>
  );
}
