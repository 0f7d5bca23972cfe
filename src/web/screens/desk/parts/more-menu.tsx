import { Ellipsis, type LucideIcon } from "lucide-react";
import { useRef } from "react";
import { cn } from "../../../lib/utils";
import { Button } from "../../../ui/button";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from "../../../ui/dropdown-menu";

type Item = { name: string; icon: LucideIcon; run: () => void; grave?: true | undefined };

/** What is done less often, behind ⋯; what takes something away comes last. Nothing is drawn without any. */
export function MoreMenu({ label, items }: { label: string; items: readonly Item[] }) {
  const trigger = useRef<HTMLButtonElement>(null);
  const chosen = useRef<Item>(null);
  const calm = items.filter(({ grave }) => !grave);
  const grave = items.filter((item) => item.grave);
  if (items.length === 0) return null;
  const entry = (item: Item) => {
    const { name, icon: Icon } = item;
    return (
      <DropdownMenuItem
        key={name}
        className={cn(item.grave && "text-destructive-text")}
        onSelect={() => void (chosen.current = item)}
      >
        <Icon aria-hidden="true" />
        <span>{name}</span>
      </DropdownMenuItem>
    );
  };
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button ref={trigger} variant="outline" size="icon" aria-label={label} title={label}>
          <Ellipsis aria-hidden="true" />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent
        align="end"
        onCloseAutoFocus={(event) => {
          const { current } = chosen;
          if (!current) return;
          // a dialog that opens now gives the focus back to the button
          event.preventDefault();
          trigger.current?.focus();
          chosen.current = null;
          current.run();
        }}
      >
        {calm.map(entry)}
        {calm.length > 0 && grave.length > 0 && <DropdownMenuSeparator />}
        {grave.map(entry)}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
