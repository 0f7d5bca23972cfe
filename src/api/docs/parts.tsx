import { constraintsOf, type Field, typeName } from "./shape";

/** A sentence with `code` between backticks. */
export function Words({ text }: { text: string }) {
  return text.split("`").map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}

/** Fields with their types and rules. */
export function Fields({
  title,
  note,
  fields,
}: {
  title: string;
  note?: string | undefined;
  fields: Field[];
}) {
  return (
    <>
      <h4>
        {title}
        {note && <span> {note}</span>}
      </h4>
      {fields.length > 0 && (
        <ul className="fields">
          {fields.map((field) => (
            <OneField key={field.name} {...field} />
          ))}
        </ul>
      )}
    </>
  );
}

function OneField({ name, shape, required }: Field) {
  const rules = constraintsOf(shape);
  return (
    <li>
      <code>{name}</code>
      <span className="type">
        {typeName(shape)}
        {!required && ", optional"}
      </span>
      {(rules.length > 0 || shape.description) && (
        <span className="rules">{[shape.description, ...rules].filter(Boolean).join("; ")}</span>
      )}
    </li>
  );
}
