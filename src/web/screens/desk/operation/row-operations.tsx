import { useState } from "react";
import { cn } from "../../../lib/utils";
import { Button } from "../../../ui/button";
import { MoreMenu } from "../parts/more-menu";
import { OperationDialog } from "./operation-dialog";
import { type OfferedOperations, useAllowed } from "./use-allowed";

/** What may be done to one row of a list, behind ⋯ or a button each; `about` names the row for those who hear. */
export function RowOperations(props: { operations: OfferedOperations; about: string; folded?: boolean }) {
  const { operations: offered, about, folded = false } = props;
  const operations = useAllowed()(offered);
  const [open, setOpen] = useState<string | null>(null);
  const chosen = operations.find(({ name }) => name === open);
  if (operations.length === 0) return null;
  return (
    <span className="flex flex-wrap gap-2">
      {folded && (
        <MoreMenu
          label={`More for ${about}`}
          items={operations.map(({ name, icon, grave }) => ({ name, icon, grave, run: () => setOpen(name) }))}
        />
      )}
      {(folded ? [] : operations).map(({ name, icon: Icon, grave }) => (
        <Button
          key={name}
          variant="outline"
          size="sm"
          className={cn(grave && "text-destructive-text")}
          aria-haspopup="dialog"
          aria-label={`${name} ${about}`}
          onClick={() => setOpen(name)}
        >
          <Icon aria-hidden="true" />
          <span>{name}</span>
        </Button>
      ))}
      {chosen && <OperationDialog key={chosen.name} operation={chosen} onClose={() => setOpen(null)} />}
    </span>
  );
}
