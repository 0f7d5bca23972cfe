import { X } from "lucide-react";
import { Dialog as Primitive } from "radix-ui";
import type { ComponentProps } from "react";
import { cn } from "../lib/utils";
import { CloseRequest } from "./close-request";

export function Sheet(props: ComponentProps<typeof Primitive.Root>) {
  return <Primitive.Root data-slot="sheet" {...props} />;
}

export function SheetTrigger(props: ComponentProps<typeof Primitive.Trigger>) {
  return <Primitive.Trigger data-slot="sheet-trigger" {...props} />;
}

export function SheetClose(props: ComponentProps<typeof Primitive.Close>) {
  return <Primitive.Close data-slot="sheet-close" {...props} />;
}

const sides = {
  bottom:
    "inset-x-0 bottom-0 h-auto border-t data-[state=closed]:slide-out-to-bottom data-[state=open]:slide-in-from-bottom",
  left: "inset-y-0 left-0 h-full w-3/4 border-r data-[state=closed]:slide-out-to-left data-[state=open]:slide-in-from-left sm:max-w-sm",
};

export function SheetContent({
  className,
  children,
  side,
  showCloseButton = true,
  ...props
}: ComponentProps<typeof Primitive.Content> & { side: keyof typeof sides; showCloseButton?: boolean }) {
  return (
    <Primitive.Portal>
      <Primitive.Overlay
        data-slot="sheet-overlay"
        className="fixed inset-0 z-50 bg-scrim backdrop-blur-xs data-[state=closed]:animate-out data-[state=closed]:fade-out-0 data-[state=open]:animate-in data-[state=open]:fade-in-0"
      />
      <Primitive.Content
        data-slot="sheet-content"
        className={cn(
          "fixed z-50 flex flex-col bg-popover text-popover-foreground shadow-lg outline-none data-[state=closed]:animate-out data-[state=closed]:duration-150 data-[state=open]:animate-in data-[state=open]:duration-200",
          sides[side],
          className,
        )}
        {...props}
      >
        <CloseRequest />
        {children}
        {showCloseButton && (
          <SheetClose
            aria-label="Close"
            className="absolute top-2.5 right-2.5 grid size-11 place-content-center rounded-md text-muted-foreground hover:bg-accent hover:text-foreground"
          >
            <X aria-hidden="true" className="size-4" />
          </SheetClose>
        )}
      </Primitive.Content>
    </Primitive.Portal>
  );
}

export function SheetTitle({ className, ...props }: ComponentProps<typeof Primitive.Title>) {
  return <Primitive.Title data-slot="sheet-title" className={cn("font-semibold", className)} {...props} />;
}
