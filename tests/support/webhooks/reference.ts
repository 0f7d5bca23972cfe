/**
 * `bun run webhook-reference`: writes the events' reference anew, from src/contract/wire/webhooks.ts: its part of
 * docs/webhooks.md, and the JSON Schema in docs/webhooks.schema.json. `units/webhook-reference` compares them.
 */
import { join } from "node:path";
import { z } from "zod";
import { webhookBody, type WebhookType, webhookTypeNames, webhookTypes } from "@/contract/wire/webhooks";

const docs = join(import.meta.dir, "../../../docs");
export const referencePage = join(docs, "webhooks.md");
export const schemaFile = join(docs, "webhooks.schema.json");

const marks = {
  from: "<!-- from here by `bun run webhook-reference` -->",
  to: "<!-- to here -->",
} as const;

const sampleTime = "2026-03-01T10:00:00.000Z";
const sampleSequence = 1_772_359_200_000;

/** An example of an event's body. */
export const sampleOf = (type: WebhookType) => ({
  type,
  timestamp: sampleTime,
  data: { ...webhookTypes[type].sample, sequence: sampleSequence },
});

/** The page with the reference as it should be. */
export function withReference(page: string): string {
  const [before, rest] = page.split(marks.from);
  const [, after] = rest?.split(marks.to) ?? [];
  if (before === undefined || after === undefined) throw new Error(`${referencePage} has lost its marks`);
  return `${before}${marks.from}\n\n${families().map(family).join("\n\n")}\n\n${marks.to}${after}`;
}

/** One JSON Schema of every body, told apart by `type`. */
export function schemaText(): string {
  const oneOf = webhookTypeNames.map((type) => {
    // as input, since fields are only ever added: those that a receiver doesn't know are allowed
    const { $schema: _schema, ...body } = z.toJSONSchema(webhookBody(type), { io: "input" });
    return { title: type, description: webhookTypes[type].when, ...body, examples: [sampleOf(type)] };
  });
  return `${JSON.stringify({ $schema: draft, title: "Webhooks", oneOf }, null, 2)}\n`;
}

const draft = "https://json-schema.org/draft/2020-12/schema";

const families = () => [...new Set(webhookTypeNames.map((type) => type.split(".")[0] ?? ""))];

/** Types whose first word is the same have the same fields. */
function family(name: string): string {
  const types = webhookTypeNames.filter((type) => type.startsWith(`${name}.`));
  const [first = "webhook.test"] = types;
  return [
    `### ${name}`,
    table([["type", "when"], ...types.map((type) => [`\`${type}\``, webhookTypes[type].when])]),
    table([["field", "", ""], ...fieldsOf(first)]),
    ...types.map((type) => `\`\`\`json\n${JSON.stringify(sampleOf(type), null, 2)}\n\`\`\``),
  ].join("\n\n");
}

type Shape = {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  format?: string;
  anyOf?: Shape[];
  description?: string;
};

function fieldsOf(type: WebhookType): string[][] {
  const { properties = {} } = z.toJSONSchema(webhookTypes[type].data, { io: "input" });
  return Object.entries(properties).map(([name, shape]) => [
    `\`${name}\``,
    typeOf(shape as Shape),
    (shape as Shape).description ?? "",
  ]);
}

function typeOf({ anyOf, enum: values, format, type = "" }: Shape): string {
  if (anyOf) return anyOf.map(typeOf).join(" or ");
  if (values) return values.map((value) => `\`${String(value)}\``).join(", ");
  return format === "date-time" ? "time" : [type].flat().join(" or ");
}

function table([head = [], ...rows]: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

if (import.meta.main) {
  await Bun.write(referencePage, withReference(await Bun.file(referencePage).text()));
  await Bun.write(schemaFile, schemaText());
  Bun.spawnSync([process.execPath, "fmt", "--no-script", referencePage, schemaFile], { stdout: "ignore" });
}
