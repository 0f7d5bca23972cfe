import type { LucideIcon } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { Command, CommandEmpty, CommandInput, CommandItem, CommandList } from "../ui/command";
import { Dialog, DialogContent, DialogDescription, DialogTitle } from "../ui/dialog";

type FrameProps = {
  title: string;
  description: string;
  field: ComponentProps<typeof CommandInput>;
  /** In the place of results where there are none. */
  empty: ReactNode;
  problem?: string | undefined;
  /** How many were found, for screen readers. */
  found: ReactNode;
  onClose: () => void;
  children: ReactNode;
};

/** A command palette: a field over results that the arrow keys go through while the cursor stays in it. */
export function PaletteFrame(props: FrameProps) {
  const { title, description, field, empty, problem, found, onClose, children } = props;
  return (
    <Dialog open onOpenChange={(open) => open || onClose()}>
      <DialogContent
        closable={false}
        onEscapeKeyDown={onClose}
        onInteractOutside={onClose}
        className="top-[10dvh] max-w-xl translate-y-0 gap-0 overflow-hidden p-0 sm:p-0"
      >
        <DialogTitle className="sr-only">{title}</DialogTitle>
        <DialogDescription className="sr-only">{description}</DialogDescription>
        <Command shouldFilter={false} label={title} loop>
          <CommandInput {...field} />
          <CommandList label="Results">
            {children}
            <CommandEmpty>{empty}</CommandEmpty>
          </CommandList>
          {problem !== undefined && (
            <p role="alert" className="border-t px-4 py-3 text-sm text-destructive-text">
              {problem}
            </p>
          )}
        </Command>
        <output className="sr-only">{found}</output>
      </DialogContent>
    </Dialog>
  );
}

type ItemProps = { name: string; note: string; icon?: LucideIcon } & ComponentProps<typeof CommandItem>;

export function PaletteItem({ name, note, icon: Icon, children, ...item }: ItemProps) {
  return (
    <CommandItem {...item}>
      {Icon && <Icon aria-hidden="true" />}
      <span className="max-w-[60%] shrink-0 truncate font-medium">{name}</span>
      <span className="min-w-0 flex-1 truncate text-xs text-muted-foreground">{note}</span>
      {children}
    </CommandItem>
  );
}
