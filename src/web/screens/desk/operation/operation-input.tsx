import { useId } from "react";
import { Field, FieldNote } from "../../../parts/field";
import { Label } from "../../../ui/label";
import { NativeSelect } from "../../../ui/native-select";
import { Textarea } from "../../../ui/textarea";
import type { OperationField } from "./operation";

/** One field of an operation's form. */
export function OperationInput(props: { field: OperationField; wrong: true | string | undefined }) {
  const { field, wrong } = props;
  const { name, label, type = "text", hint, initial, optional, choices } = field;
  const id = useId();
  const message = wrong === true ? "This field is required" : wrong;
  const described = message || hint ? `${id}-${message ? "wrong" : "hint"}` : undefined;
  const shared = {
    id,
    name,
    defaultValue: initial,
    "aria-required": !optional,
    "aria-invalid": wrong ? true : undefined,
    "aria-describedby": described,
  };
  if (type === "check")
    return (
      <label htmlFor={id} className="-my-3 flex min-h-11 items-center gap-3 text-sm md:-my-2 md:min-h-8">
        <input
          id={id}
          type="checkbox"
          name={name}
          defaultChecked={initial === "on"}
          className="size-4 shrink-0 accent-primary"
        />
        <span className="min-w-0 wrap-anywhere">{label}</span>
      </label>
    );
  if (!choices && type !== "textarea")
    return (
      <Field
        label={label}
        name={name}
        type={type}
        hint={hint}
        defaultValue={initial}
        aria-required={!optional}
        autoComplete="off"
        wrong={message}
      />
    );
  return (
    <div className="flex flex-col gap-2">
      <Label htmlFor={id}>{label}</Label>
      {choices ? (
        <NativeSelect choices={Object.entries(choices)} {...shared} className="md:h-10" />
      ) : (
        <Textarea rows={4} {...shared} />
      )}
      <FieldNote id={id} message={message} hint={hint} />
    </div>
  );
}
