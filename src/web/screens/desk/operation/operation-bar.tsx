import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { refreshDesk } from "../../../api/desk/lists";
import { cn } from "../../../lib/utils";
import { MoreMenu } from "../parts/more-menu";
import { notify } from "../../../page/notices";
import { Button } from "../../../ui/button";
import { useCommands } from "../palette/commands";
import type { Operation } from "./operation";
import { failureText, OperationDialog } from "./operation-dialog";
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
  const direct = useDirect();
  const press = (one: Operation) => {
    if (!one.direct) setOpen(one.name);
    else if (!direct.isPending) direct.mutate(one);
  };
  const isMain = (one: Operation, at: number) => at === 0 && (one.main ?? main);
  const names = operations.map(({ name }) => name).join("\n");
  useCommands(
    useMemo(
      () =>
        operations.map((one) => ({
          name: one.direct ? one.name : `${one.name}…`,
          icon: one.icon,
          run: () => press(one),
        })),
      // oxlint-disable-next-line react/exhaustive-deps -- they are new at every render
      [names],
    ),
  );
  const chosen = operations.find(({ name }) => name === open);
  if (operations.length === 0) return null;
  return (
    <fieldset aria-label="Operations" className="flex flex-wrap gap-2">
      {operations.slice(0, shown).map((one, at) => (
        <Button
          // by its place: what one press did is replaced by its opposite, which keeps the focus
          key={at}
          variant={isMain(one, at) ? "default" : "outline"}
          size="sm"
          className={cn("md:min-h-9", one.grave && !isMain(one, at) && "text-destructive-text")}
          aria-haspopup={one.direct ? undefined : "dialog"}
          onClick={() => press(one)}
        >
          <one.icon aria-hidden="true" />
          <span>{one.name}</span>
        </Button>
      ))}
      <MoreMenu
        label="More operations"
        items={operations
          .slice(shown)
          .map((one) => ({ name: one.name, icon: one.icon, grave: one.grave, run: () => press(one) }))}
      />
      {chosen && <OperationDialog key={chosen.name} operation={chosen} onClose={() => setOpen(null)} />}
    </fieldset>
  );
}

/** Does what one press does, and says what came of it. */
function useDirect() {
  const queries = useQueryClient();
  return useMutation({
    mutationKey: ["desk", "operation"],
    mutationFn: (one: Operation) => one.run({}, ""),
    onSuccess: (answer, one) => notify("success", one.done(answer), "account"),
    onError: (problem) => notify("error", failureText(problem), "account"),
    // also after a refusal: somebody else was faster
    onSettled: () => void refreshDesk(queries),
  });
}
