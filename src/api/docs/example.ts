import type { OpenAPIHono } from "@hono/zod-openapi";
import { brand } from "@/brand/brand";
import type { Env } from "../shop";

/** An OpenAPI 3.1 document: https://spec.openapis.org/oas/v3.1.1.html */
export type Description = ReturnType<OpenAPIHono<Env>["getOpenAPI31Document"]>;
export type Components = NonNullable<Description["components"]>;
export type Schema = NonNullable<Components["schemas"]>[string];

/** Examples by field name, where the type alone would give a poor example. */
const byName: Record<string, unknown> = {
  id: "0198c6a5-4f3e-7d21-9b60-2f8a51c7e0d4",
  api_key: "Vd0mN8rQ1xZ3yT5uB7aC9eG2iK4lO6pS8wX0zA1bD3f",
  username: "ada",
  email: "ada@example.com",
  password: "a long enough phrase",
  key: `${brand.keyPrefix}-3JQX-8H2M-ZK4T-9RWC`,
  license_key: `${brand.keyPrefix}-3JQX-8H2M-ZK4T-9RWC`,
  timezone: "Europe/Berlin",
  old_password: "a phrase of long ago",
  new_password: "an even longer phrase",
  security_code: "492039",
  code: "492039",
  hwid: "5f0c2a9e7b314d6885e1",
  label: "Ada's desktop",
  os: "win32",
  version: "2.4.1",
  currency: "usd",
  amount: brand.offer.amount,
  type: brand.premium.type,
  session_id: "cs_live_a1B2c3D4",
  payment_intent: "pi_3Nq8aZ2eZvKYlo2C",
  payment_id: "pi_3Nq8aZ2eZvKYlo2C",
  payment_method: "card",
  created: 1_796_000_000,
};

/** A realistic value that the schema allows. */
export function exampleOf(document: Description, schema: Schema, name = ""): unknown {
  const shape = shapeOf(document, schema);
  const named = shape.properties || shape.items ? undefined : byName[name];
  return shape.example ?? shape.enum?.[0] ?? named ?? byType(document, shape);
}

function byType(document: Description, shape: Shape): unknown {
  if (shape.properties) {
    const fields = Object.entries(shape.properties);
    return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(document, field, name)]));
  }
  if (shape.items) return [exampleOf(document, shape.items)];
  if (shape.types.includes("null") && !shape.format) return null;
  if (shape.types.includes("string")) return byFormat[shape.format ?? ""] ?? "text";
  if (shape.types.includes("boolean")) return true;
  if (shape.types.includes("integer") || shape.types.includes("number")) return shape.minimum ?? 1;
  return shape.types.includes("object") ? {} : null;
}

const byFormat: Record<string, string> = {
  "date-time": "2027-01-31T12:00:00.000Z",
  uri: "https://example.com/",
};

/** The subset of JSON Schema that our schemas produce, with references resolved. */
type Shape = {
  types: string[];
  format?: string;
  minimum?: number;
  enum?: unknown[];
  example?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
};

function shapeOf(document: Description, schema: Schema): Shape {
  if ("$ref" in schema && schema.$ref !== undefined) {
    const target = document.components?.schemas?.[schema.$ref.split("/").at(-1) ?? ""];
    if (!target) throw new Error(`${schema.$ref} is described nowhere`);
    return shapeOf(document, target);
  }
  const { type, ...rest } = schema as Omit<Shape, "types"> & { type?: string | string[] };
  return { ...rest, types: type === undefined ? [] : [type].flat() };
}
