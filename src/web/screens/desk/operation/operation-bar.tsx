import { useMemo, useState } from "react";
import { cn } from "../../../lib/utils";
import { MoreMenu } from "../parts/more-menu";
import { Button } from "../../../ui/button";
import { useCommands } from "../palette/commands";
import { OperationDialog } from "./operation-dialog";
import { type OfferedOperations, useAllowed } from "./use-allowed";

/** How many have a button of their own. */
const shown = 2;

/**
 * What this member of staff may do to the thing on the page: a button for the first two, a menu for the others, and a command each
 * in the palette. Nothing is drawn without any.
 */
export function OperationBar(props: {
  operations: OfferedOperations;
  /** The first is what the page is for. */
  main?: boolean;
}) {
  const { operations: offered, main = false } = props;
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
      {operations.slice(0, shown).map(({ name, icon: Icon, grave, main: isMain = main }, at) => (
        <Button
          key={name}
          variant={isMain && at === 0 ? "default" : "outline"}
          size="sm"
          className={cn("md:min-h-9", grave && "text-destructive-text")}
          aria-haspopup="dialog"
          onClick={() => setOpen(name)}
        >
          <Icon aria-hidden="true" />
          <span>{name}</span>
        </Button>
      ))}
      <MoreMenu
        label="More operations"
        items={operations
          .slice(shown)
          .map(({ name, icon, grave }) => ({ name, icon, grave, run: () => setOpen(name) }))}
      />
      {chosen && <OperationDialog key={chosen.name} operation={chosen} onClose={() => setOpen(null)} />}
    </fieldset>
  );
}
