import { useMemo, useState } from "react";
import { cn } from "../../../lib/utils";
import { Button } from "../../../ui/button";
import { useCommands } from "../palette/commands";
import { OperationDialog } from "./operation-dialog";
import { type OfferedOperations, useAllowed } from "./use-allowed";

/**
 * What this member of staff may do to the thing on the page: a button each, and a command each in the palette. Nothing is drawn
 * without any.
 */
export function OperationBar({ operations: offered }: { operations: OfferedOperations }) {
  const operations = useAllowed()(offered);
  const [open, setOpen] = useState<string | null>(null);
  const names = operations.map(({ name }) => name).join("\n");
  useCommands(
    useMemo(
      () => operations.map(({ name, icon }) => ({ name: `${name}…`, icon, run: () => setOpen(name) })),
      // oxlint-disable-next-line react/exhaustive-deps -- they are new at every render
      [names],
    ),
  );
  const chosen = operations.find(({ name }) => name === open);
  if (operations.length === 0) return null;
  return (
    <fieldset aria-label="Operations" className="flex flex-wrap gap-2">
      {operations.map(({ name, icon: Icon, grave }) => (
        <Button
          key={name}
          variant="outline"
          size="sm"
          className={cn("md:min-h-9", grave && "text-destructive-text")}
          aria-haspopup="dialog"
          onClick={() => setOpen(name)}
        >
          <Icon aria-hidden="true" />
          <span>{name}</span>
        </Button>
      ))}
      {chosen && <OperationDialog key={chosen.name} operation={chosen} onClose={() => setOpen(null)} />}
    </fieldset>
  );
}
