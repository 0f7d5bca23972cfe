import type { OpenAPIHono } from "@hono/zod-openapi";
import { brand } from "@/brand/brand";
import { offerOf } from "@/brand/offer";
import { sentenceOf } from "@/core/base/refusal";
import { cookieName } from "../cookies";
import type { Env } from "../shop";

const intro = [
  "Every answer is JSON: `{status, data}`, with `status` equal to the HTTP status.",
  "A refused call answers `{status, data, code}`: `data` is a sentence to show to a person and `code` a code",
  "that never changes. Times are ISO 8601 in UTC, money is in minor units, bodies are application/json.",
].join(" ");

/** Describes every call from the schemas that validate it. */
export function describeApi(app: OpenAPIHono<Env>, publicUrl: URL): Description {
  const described = app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: { title: "Latchkey shop API", version: "1.0.0", description: intro },
    servers: [{ url: publicUrl.origin }],
  });
  const document = JSON.parse(JSON.stringify(described, plainPattern)) as Description;
  document.components = { ...document.components, securitySchemes: securitySchemes(publicUrl) };
  addExamples(document);
  return document;
}

const securitySchemes = (publicUrl: URL): NonNullable<Components["securitySchemes"]> => ({
  session: {
    type: "apiKey",
    in: "cookie",
    name: cookieName("session", publicUrl),
    description:
      "Set when registering or signing in; the browser sends it automatically. A page says in `X-Account` the id of the account that it shows, and is refused with `other_account` once another account, or nobody where a session is optional, is signed in: nothing was done or counted then. Without that header the call is for whoever is signed in.",
  },
  desk: {
    type: "apiKey",
    in: "cookie",
    name: cookieName("desk", publicUrl),
    description: "Set when staff enter the desk; opens nothing without the account's session.",
  },
  token: { type: "http", scheme: "bearer", description: "The account's auth token (API key)." },
  serverKey: { type: "http", scheme: "bearer", description: "A server key, from `shop keys add`." },
  metricsToken: { type: "http", scheme: "bearer" },
  stripeSignature: { type: "apiKey", in: "header", name: "Stripe-Signature" },
});

/** The generator appends a pattern's flags; JSON Schema has no flags and always implies `u`. */
const plainPattern = (name: string, value: unknown): unknown =>
  name === "pattern" && typeof value === "string" ? value.replace(/\/[a-z]+$/, "") : value;

/** Adds an example to each body and each answer. */
function addExamples(document: Description): void {
  for (const path of Object.values(document.paths ?? {})) {
    for (const call of [path.get, path.post, path.put, path.patch, path.delete]) {
      if (!call) continue;
      const bodies = [call.requestBody, call.responses?.["200"]] as { content?: Content }[];
      for (const media of bodies.map((body) => body?.content?.["application/json"])) {
        if (media?.schema) media.example = exampleOf(document, media.schema);
      }
    }
  }
  const refusal = document.components?.schemas?.["Refusal"];
  if (refusal && !("$ref" in refusal))
    refusal.example = { status: 401, data: sentenceOf({ code: "unauthenticated" }), code: "unauthenticated" };
}

type Content = Record<string, { schema?: Schema; example?: unknown }>;

/** An OpenAPI 3.1 document: https://spec.openapis.org/oas/v3.1.1.html */
type Description = ReturnType<OpenAPIHono<Env>["getOpenAPI31Document"]>;
type Components = NonNullable<Description["components"]>;
type Schema = NonNullable<Components["schemas"]>[string];

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
  amount: offerOf(brand, "usd").amount,
  type: brand.premium.type,
  session_id: "cs_live_a1B2c3D4",
  payment_intent: "pi_3Nq8aZ2eZvKYlo2C",
  payment_id: "pi_3Nq8aZ2eZvKYlo2C",
  payment_method: "card",
  created: 1_796_000_000,
};

/** A realistic value that the schema allows. */
function exampleOf(document: Description, schema: Schema, name = ""): unknown {
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
