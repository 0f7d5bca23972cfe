import { X } from "lucide-react";
import { Dialog as Primitive } from "radix-ui";
import { type ComponentProps, type RefObject, useEffectEvent, useLayoutEffect, useRef } from "react";
import { useVisibleArea } from "../hooks/use-visible-area";
import { cn } from "../lib/utils";
import { CloseRequest } from "./close-request";

export function Dialog(props: ComponentProps<typeof Primitive.Root>) {
  return <Primitive.Root data-slot="dialog" {...props} />;
}

export function DialogTrigger(props: ComponentProps<typeof Primitive.Trigger>) {
  return <Primitive.Trigger data-slot="dialog-trigger" {...props} />;
}

export function DialogClose(props: ComponentProps<typeof Primitive.Close>) {
  return <Primitive.Close data-slot="dialog-close" {...props} />;
}

/** Traps focus while open and restores it on close; toasts stay accessible above it, and an on-screen keyboard below. */
export function DialogContent({
  className,
  children,
  closable = true,
  onEscapeKeyDown,
  onInteractOutside,
  ...props
}: ComponentProps<typeof Primitive.Content> & {
  /** Whether it can be closed other than by its buttons. */
  closable?: boolean;
}) {
  const content = useRef<HTMLDivElement>(null);
  const before = useRef<Element>(null);
  return (
    <Primitive.Portal>
      <Primitive.Overlay
        data-slot="dialog-overlay"
        className="fixed inset-0 z-50 bg-scrim backdrop-blur-xs data-[state=closed]:animate-out data-[state=closed]:fade-out-0 data-[state=open]:animate-in data-[state=open]:fade-in-0"
      />
      <Primitive.Content
        ref={content}
        data-slot="dialog-content"
        onEscapeKeyDown={onEscapeKeyDown ?? ((event) => closable || event.preventDefault())}
        onInteractOutside={(event) => {
          if (!closable || isToast(event.target)) event.preventDefault();
          onInteractOutside?.(event);
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          if (before.current instanceof HTMLElement) before.current.focus();
        }}
        className={cn(
          "fixed inset-x-3 top-[calc(var(--visible-top,0px)+var(--visible-height,100dvh)/2)] z-50 mx-auto flex max-h-[calc(var(--visible-height,100dvh)-1.5rem)] max-w-md -translate-y-1/2 flex-col gap-5 overflow-y-auto overscroll-contain rounded-xl border bg-popover p-5 text-popover-foreground shadow-dialog outline-none sm:p-6",
          "duration-150 data-[state=closed]:animate-out data-[state=closed]:fade-out-0 data-[state=closed]:zoom-out-97 data-[state=open]:animate-in data-[state=open]:fade-in-0 data-[state=open]:zoom-in-97",
          className,
        )}
        {...props}
      >
        <ReportFocus to={(element) => void (before.current = element)} />
        <AboveKeyboard content={content} />
        {(closable || onEscapeKeyDown) && <CloseRequest />}
        {children}
        {closable && (
          <Primitive.Close
            data-slot="dialog-close"
            aria-label="Close"
            className="absolute top-2.5 right-2.5 grid size-11 place-content-center rounded-md text-muted-foreground hover:bg-accent hover:text-foreground sm:top-3.5 sm:right-3.5 sm:size-9"
          >
            <X aria-hidden="true" className="size-4" />
          </Primitive.Close>
        )}
      </Primitive.Content>
    </Primitive.Portal>
  );
}

/** Radix restores focus only to its own trigger; a layout effect runs before focus moves. */
function ReportFocus({ to }: { to: (element: Element | null) => void }) {
  const onChange = useEffectEvent(to);
  useLayoutEffect(() => {
    onChange(document.activeElement);
  }, []);
  return null;
}

function AboveKeyboard({ content }: { content: RefObject<HTMLDivElement | null> }) {
  useVisibleArea(content);
  return null;
}

export function DialogHeader({ className, ...props }: ComponentProps<"div">) {
  return <div data-slot="dialog-header" className={cn("flex flex-col gap-1.5 pr-9", className)} {...props} />;
}

export function DialogTitle({ className, ...props }: ComponentProps<typeof Primitive.Title>) {
  return (
    <Primitive.Title
      data-slot="dialog-title"
      className={cn("text-lg leading-tight font-semibold", className)}
      {...props}
    />
  );
}

export function DialogDescription({ className, ...props }: ComponentProps<typeof Primitive.Description>) {
  return (
    <Primitive.Description
      data-slot="dialog-description"
      className={cn("text-sm text-muted-foreground", className)}
      {...props}
    />
  );
}

/** The buttons; the primary one is the last, and on phones on top. */
export function DialogFooter({ className, ...props }: ComponentProps<"div">) {
  return (
    <div
      data-slot="dialog-footer"
      className={cn("flex flex-col-reverse gap-3 sm:flex-row sm:justify-end", className)}
      {...props}
    />
  );
}

const isToast = (target: EventTarget | null) =>
  target instanceof Element && target.closest("[data-sonner-toaster]") !== null;
