import { z } from "zod";
import type { Declaration } from "../operations/operation";
import { maxPrice } from "../vocabulary/bounds";
import { type Field, isLine, reasonField } from "../vocabulary/fields";
import { oneLine } from "../vocabulary/plain-words";
import { cleaned, shownText } from "../vocabulary/typed-text";
import { email } from "./accounts";
import { deskSchemas } from "./desk/schemas";
import { sealedPage } from "./desk/pages";
import { instant } from "./envelope";

/** More than any line that is shortened to its visible characters. */
const mostOfALine = 2_000;

/** The schema of one field, whether or not it has to be sent. */
function requiredSchema(field: Field): z.ZodType {
  switch (field.kind) {
    case "whole":
      return z.int().min(field.least).max(field.most);
    case "amount":
      return z.int().min(1).max(maxPrice);
    case "line": {
      const { least, most } = field;
      return z
        .string()
        .max(mostOfALine)
        .overwrite(oneLine)
        .refine((typed) => isLine(field, typed), `must have ${least} to ${most} characters`);
    }
    case "text": {
      const several = z.string().max(field.most).overwrite(cleaned);
      return field.empty
        ? several
        : several.refine((typed) => shownText(typed) !== "", "must contain some text");
    }
    case "email":
      return email;
    case "id":
      return z.string().min(1).max(field.most);
    case "word":
      return z.string().overwrite(field.read).regex(field.pattern, `must be ${field.mistake}`);
    case "words":
      return z
        .array(z.string().regex(field.pattern, `must be ${field.mistake}`))
        .max(field.most)
        .overwrite((typed) => [...new Set(typed)]);
    case "choice":
      return z.enum(Object.keys(field.choices));
    case "flag":
      return z.boolean();
    case "instant":
      return instant;
    default:
      return deskSchemas[field.schema as keyof typeof deskSchemas];
  }
}

export function schemaOf(field: Field): z.ZodType {
  const required = requiredSchema(field);
  const valued = field.nullable ? required.nullable() : required;
  const whether =
    field.otherwise !== undefined
      ? valued.default(field.otherwise)
      : field.optional
        ? valued.optional()
        : valued;
  return field.about === undefined ? whether : whether.describe(field.about);
}

type Fielded = Pick<Declaration, "takes" | "fields" | "reason" | "oneOf" | "someOf" | "page">;

/** The body of a call, or the query of one that has none. */
export function bodyOf({ takes, fields = {}, reason: asks, oneOf, someOf, page }: Fielded): z.ZodType {
  if (takes) return deskSchemas[takes];
  const whole = z.strictObject({
    ...(page && sealedPage),
    ...Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field)])),
    ...(asks === "required" && { reason: schemaOf(reasonField) }),
    ...(asks === "optional" && { reason: schemaOf(reasonField).optional() }),
  });
  const checked = oneOf
    ? whole.refine((body) => sent(body, oneOf) === 1, {
        message: `Send ${named(oneOf)}, not both.`,
        path: [oneOf[0] ?? ""],
        params: { isSentence: true },
      })
    : whole;
  return someOf
    ? checked.refine((body) => sent(body, someOf) > 0, {
        message: `Send ${named(someOf)}.`,
        path: [someOf[0] ?? ""],
        params: { isSentence: true },
      })
    : checked;
}

const sent = (body: Record<string, unknown>, names: readonly string[]) =>
  names.filter((name) => body[name] !== undefined).length;

const named = (names: readonly string[]) => `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
