import type { OpenAPIHono } from "@hono/zod-openapi";
import { cookieName } from "../cookies";
import { refusals } from "@/contract/vocabulary/refusals";
import type { Env } from "../shop";
import { type Components, type Description, exampleOf, type Schema } from "./example";

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
    refusal.example = { status: 401, data: refusals.unauthenticated.sentence, code: "unauthenticated" };
}

type Content = Record<string, { schema?: Schema; example?: unknown }>;
