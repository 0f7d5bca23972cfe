import { type ComponentProps, useEffect, useRef } from "react";
import { cn } from "../lib/utils";

/** A panel from the left: a native dialog, which traps focus, closes on Escape and restores focus. */
export function Sheet({
  open,
  onOpenChange,
  className,
  children,
  ...props
}: Omit<ComponentProps<"dialog">, "open"> & { open: boolean; onOpenChange: (open: boolean) => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (open && !element?.open) element?.showModal();
    if (!open && element?.open) element.close();
  }, [open]);
  return (
    <dialog
      ref={dialog}
      data-slot="sheet"
      onClose={() => onOpenChange(false)}
      // Clicking outside closes it; in browsers without support, Escape and the button do.
      closedby="any"
      className={cn(
        "fixed inset-y-0 left-0 m-0 h-dvh max-h-none w-72 max-w-[85vw] border-r bg-sidebar text-sidebar-foreground duration-200 backdrop:bg-black/60 backdrop:backdrop-blur-xs open:animate-in open:slide-in-from-left",
        className,
      )}
      {...props}
    >
      {children}
    </dialog>
  );
}
