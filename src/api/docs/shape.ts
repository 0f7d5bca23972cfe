import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Env } from "../shop";

/** An OpenAPI 3.1 document: https://spec.openapis.org/oas/v3.1.1.html */
export type Description = ReturnType<OpenAPIHono<Env>["getOpenAPI31Document"]>;
export type Components = NonNullable<Description["components"]>;
export type Schema = NonNullable<Components["schemas"]>[string];

/** The subset of JSON Schema that our schemas produce, with references resolved. */
export type Shape = {
  types: string[];
  description?: string;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  enum?: unknown[];
  example?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
};

export type Field = { name: string; shape: Shape; required: boolean };

export function shapeOf(document: Description, schema: Schema): Shape {
  if ("$ref" in schema && schema.$ref !== undefined) {
    const target = document.components?.schemas?.[schema.$ref.split("/").at(-1) ?? ""];
    if (!target) throw new Error(`${schema.$ref} is described nowhere`);
    return shapeOf(document, target);
  }
  const { type, ...rest } = schema as Omit<Shape, "types"> & { type?: string | string[] };
  return { ...rest, types: type === undefined ? [] : [type].flat() };
}

/** Every field of a schema; nested fields have their full path: `data.key`, `data[].key`. */
export function fieldsOf(document: Description, schema: Schema, prefix = ""): Field[] {
  const shape = shapeOf(document, schema);
  if (shape.items) return fieldsOf(document, shape.items, `${prefix}[]`);
  return Object.entries(shape.properties ?? {}).flatMap(([key, inner]) => {
    const name = prefix ? `${prefix}.${key}` : key;
    const field = { name, shape: shapeOf(document, inner), required: Boolean(shape.required?.includes(key)) };
    return [field, ...fieldsOf(document, inner, name)];
  });
}

/** `string or null`, `array` … */
export const typeName = ({ types, enum: values }: Shape) =>
  values?.length === 1 ? JSON.stringify(values[0]) : types.join(" or ") || "anything";

/** A value's rules beyond its type, in a few words each. */
export function constraintsOf(shape: Shape): string[] {
  const rules: [unknown, string][] = [
    [shape.enum?.[1], `one of ${shape.enum?.map((value) => JSON.stringify(value)).join(", ")}`],
    [shape.format, `format ${shape.format}`],
    [
      shape.maxLength,
      `${shape.minLength ? `${shape.minLength} to` : "at most"} ${shape.maxLength} characters`,
    ],
    [shape.minimum, `at least ${shape.minimum}`],
    [shape.maximum, `at most ${shape.maximum}`],
    [shape.maxItems, `at most ${shape.maxItems} entries`],
    [shape.pattern, `fits ${shape.pattern}`],
  ];
  return rules.filter(([set]) => set !== undefined).map(([, words]) => words);
}
