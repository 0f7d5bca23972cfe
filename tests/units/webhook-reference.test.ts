import { expect, test } from "bun:test";
import Ajv2020 from "ajv/dist/2020";
import { Webhook } from "standardwebhooks";
import { webhookBody, webhookTypeNames, webhookTypes } from "@/contract/wire/webhooks";
import { second } from "@/contract/vocabulary/time";
import { signatureHeaders } from "@/domain/webhooks/signature";
import {
  referencePage,
  sampleOf,
  schemaFile,
  schemaText,
  withReference,
} from "../support/webhooks/reference";

/** Tables are laid out by the formatter. */
const words = (page: string) => page.replace(/\s+/g, " ").replace(/-+/g, "-");
const anew = "run `bun run webhook-reference`, and look at what changed";

test("the page and the schema of webhooks are those of the code", async () => {
  const page = await Bun.file(referencePage).text();
  expect(words(page), anew).toBe(words(withReference(page)));
  expect(await Bun.file(schemaFile).json(), anew).toEqual(JSON.parse(schemaText()));
});

test("every event's sample has exactly its fields, and fits the published schema", () => {
  const fits = new Ajv2020({ strict: false, validateFormats: false }).compile(JSON.parse(schemaText()));
  for (const type of webhookTypeNames) {
    const sample = sampleOf(type);
    expect(webhookBody(type).parse(sample)).toEqual(sample);
    expect(Object.keys(webhookTypes[type].sample).toSorted()).toEqual(
      Object.keys(webhookTypes[type].data.shape).toSorted(),
    );
    expect([type, fits(sample)]).toEqual([type, true]);
    // a receiver that checks bodies by it goes on working when a field is added
    expect([type, fits({ ...sample, data: { ...sample.data, added_later: 1 } })]).toEqual([type, true]);
    const { sequence: _, ...without } = sample.data;
    expect([type, fits({ ...sample, data: without })]).toEqual([type, false]);
  }
});

test("types that share their first word have the same fields, as the page says", () => {
  for (const type of webhookTypeNames) {
    const family = webhookTypeNames.find((one) => one.split(".")[0] === type.split(".")[0]) ?? type;
    expect([type, webhookTypes[type].data === webhookTypes[family].data]).toEqual([type, true]);
  }
});

test("the request on the page is signed with the secret on the page", async () => {
  const page = await Bun.file(referencePage).text();
  const [, secret = ""] = /(whsec_[A-Za-z0-9+/=]+)/.exec(page) ?? [];
  const [, head = "", body = ""] = /^POST .*\n([^]*?)\n\n(.*)\n```$/m.exec(page) ?? [];
  const headers = Object.fromEntries(head.split("\n").map((line) => line.split(": ")));
  const at = new Date(Number(headers["webhook-timestamp"]) * second);
  expect(new Webhook(secret).sign(headers["webhook-id"] ?? "", at, body)).toBe(headers["webhook-signature"]);
  expect(
    signatureHeaders({ id: headers["webhook-id"] ?? "", timestamp: at, body, secrets: [secret] }),
  ).toEqual({
    "webhook-id": headers["webhook-id"] ?? "",
    "webhook-timestamp": headers["webhook-timestamp"] ?? "",
    "webhook-signature": headers["webhook-signature"] ?? "",
  });
  expect(JSON.parse(body)).toEqual(sampleOf("account.created"));
});
