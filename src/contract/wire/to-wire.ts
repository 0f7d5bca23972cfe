import type { z } from "zod";

type CamelCase<Name extends string> = Name extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** The wire's times are text; rows hold dates. */
type RowValue<Value> = Value extends string ? Value | Date : Value;

type RowOf<Wire> = { [Name in keyof Wire & string as CamelCase<Name>]: RowValue<Wire[Name]> };

/**
 * What a schema says of a row: its fields by their names on the wire (`created_at` of `createdAt`), dates as ISO 8601. Whatever
 * else the row holds stays behind.
 */
export function toWire<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  row: RowOf<z.output<z.ZodObject<Shape>>>,
): z.output<z.ZodObject<Shape>> {
  const held = row as Readonly<Record<string, unknown>>;
  const written = Object.keys(schema.shape).map((name) => {
    const value = held[name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())];
    return [name, value instanceof Date ? value.toISOString() : value];
  });
  return Object.fromEntries(written) as z.output<z.ZodObject<Shape>>;
}
