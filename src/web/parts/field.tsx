import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, type ReactNode, useId, useState } from "react";
import { cn } from "../ui/cn";
import { Input } from "../ui/input";
import { Label } from "../ui/label";

export type FieldProps = Omit<ComponentProps<"input">, "id"> & {
  label: string;
  name: string;
  /** Highlighted as wrong; with a sentence where there is one to say. */
  wrong?: boolean | string | undefined;
  /** Stands at the right end of the label's line. */
  aside?: ReactNode;
};

/** A labelled input that can be wrong. */
export function Field({ label, wrong, aside, ...input }: FieldProps) {
  const id = useId();
  const said = typeof wrong === "string" ? wrong : undefined;
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
        aria-describedby={said ? `${id}-wrong` : undefined}
        {...input}
      />
      {said && (
        <p id={`${id}-wrong`} role="alert" className="text-sm text-[#ff8b94]">
          {said}
        </p>
      )}
    </div>
  );
}

/** A field whose content is hidden until its owner wants to see it. */
export function SecretField({ className, ...props }: FieldProps) {
  const [shown, show] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <div className="relative">
      <Field type={shown ? "text" : "password"} className={cn("pr-12", className)} {...props} />
      <button
        type="button"
        aria-label={`${shown ? "Hide" : "Show"} ${props.label.toLowerCase()}`}
        aria-pressed={shown}
        onClick={() => show(!shown)}
        className="absolute top-7 right-0 grid size-11 place-content-center rounded-md text-muted-foreground hover:text-foreground md:size-10"
      >
        <Icon aria-hidden="true" className="size-4" />
      </button>
    </div>
  );
}

/** The `ref` of a field that appears in answer to something its reader did, and is the next to be filled. */
export const takeFocus = (field: HTMLInputElement | null) => field?.focus();
