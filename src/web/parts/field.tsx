import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, type ReactNode, useId, useState } from "react";
import { cn } from "../lib/utils";
import { Input } from "../ui/input";
import { Label } from "../ui/label";

export type FieldProps = Omit<ComponentProps<"input">, "id"> & {
  label: string;
  name: string;
  /** Highlights the field as invalid; a string is shown below it. */
  wrong?: boolean | string | undefined;
  /** The field's rule, shown below it until it is wrong. */
  hint?: string | undefined;
  /** Shown at the right end of the label's line. */
  aside?: ReactNode;
};

/** A labelled input with an error state. */
export function Field({ label, wrong, hint, aside, ...input }: FieldProps) {
  const id = useId();
  const message = typeof wrong === "string" ? wrong : undefined;
  return (
    <div className="flex flex-col gap-2">
      <div className="flex min-h-5 items-center justify-between">
        <Label htmlFor={id}>{label}</Label>
        {aside}
      </div>
      <Input
        id={id}
        aria-required="true"
        aria-invalid={wrong ? true : undefined}
        aria-describedby={message || hint ? `${id}-${message ? "wrong" : "hint"}` : undefined}
        {...input}
      />
      <FieldNote id={id} message={message} hint={hint} />
    </div>
  );
}

/** What is wrong with a field or, until then, its rule; `id-wrong` and `id-hint` describe the field. */
export function FieldNote(props: { id: string; message?: string | undefined; hint?: string | undefined }) {
  const { id, message, hint } = props;
  if (message)
    return (
      <p id={`${id}-wrong`} role="alert" className="text-sm text-destructive-text">
        {message}
      </p>
    );
  if (!hint) return null;
  return (
    <p id={`${id}-hint`} className="text-xs leading-5 text-muted-foreground">
      {hint}
    </p>
  );
}

/** A field whose content its owner hides and shows; hidden at first, unless `readable`. */
export function SecretField({ className, readable = false, ...props }: FieldProps & { readable?: boolean }) {
  const [shown, show] = useState(readable);
  const Icon = shown ? EyeOff : Eye;
  return (
    <div className="relative">
      <Field type={shown ? "text" : "password"} className={cn("pr-12", className)} {...props} />
      <button
        type="button"
        aria-label={`${shown ? "Hide" : "Show"} ${props.label.toLowerCase()}`}
        onClick={() => show(!shown)}
        className="absolute top-7 right-0 grid size-11 place-content-center rounded-md text-muted-foreground hover:text-foreground md:size-10"
      >
        <Icon aria-hidden="true" className="size-4" />
      </button>
    </div>
  );
}

/** The `ref` of a field, or another part, that appears after a user action and comes next: focuses it. */
export const takeFocus = (field: HTMLElement | null) => field?.focus();

/** Tells password managers whose password the form is about; a field of type `hidden` would not do. */
export const ForPasswordManagers = ({ username }: { username: string }) => (
  <input type="text" hidden readOnly name="username" autoComplete="username" value={username} />
);
