import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { refusals } from "@/contract/vocabulary/refusals";
import { slowedBy } from "../../support/checks/slow-patterns";
import { openStage, type Stage } from "../../support/shop/stage";
import { type Call, callsOf } from "./calls";
import { snapshotOf, snapshotPath } from "./snapshot";

let stage: Stage;
// oxlint-disable-next-line typescript/no-explicit-any -- a test may read any field
let document: any;
let calls: Call[];
beforeAll(async () => {
  stage = await openStage();
  document = (await stage.person().get("/api/openapi.json")).body;
  calls = callsOf(document);
});
afterAll(() => stage[Symbol.asyncDispose]());

test("the description follows the rules of OpenAPI 3.1", async () => {
  expect(document.openapi).toStartWith("3.1.");
  const judged = await new Validator().validate(structuredClone(document));
  expect(judged.errors ?? []).toEqual([]);
  expect(judged.valid).toBe(true);
  expect(document.servers).toEqual([{ url: stage.url.origin }]);
});

test("the wire is the one that docs/openapi.json describes", async () => {
  const kept = await Bun.file(snapshotPath).text();
  const served = snapshotOf(stage);
  const hint = "`bun run openapi` writes docs/openapi.json anew; commit it with the change of the wire";
  expect(JSON.parse(served), hint).toEqual(JSON.parse(kept));
  expect(served === kept, hint).toBe(true);
});

test("a description that breaks the rules is caught", async () => {
  const broken = structuredClone(document);
  broken.paths["/api/user/me"].get.responses[200] = { content: 1 };
  expect((await new Validator().validate(broken)).valid).toBe(false);
});

test("every call that is served is described, and every call that is described is served", () => {
  const served = stage.shop.api.routes
    .filter(({ method }) => method !== "ALL")
    .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}").replace(/(.)\/$/, "$1")}`);
  const described = calls.map(({ method, path }) => `${method} ${path.replace(/(.)\/$/, "$1")}`);
  expect([...new Set(described)].toSorted()).toEqual([...new Set(served)].toSorted());
  expect(described.length).toBe(new Set(described).size);
});

test("a call says that it needs a session if and only if it refuses visitors", async () => {
  const stranger = stage.person();
  const compared = [];
  // a session or a token's owner; without a token it asks for a session
  const either = ["/api/user/email/confirm"];
  for (const { method, path, security } of calls.filter(({ path }) => !either.includes(path))) {
    const answer = await stranger.send(method, path.replace(/\{\w+\}/g, "x"), { redirect: "manual" });
    compared.push([
      `${method} ${path}`,
      ["session", "desk"].includes(security),
      answer.body.code === "unauthenticated",
    ]);
  }
  expect(compared.filter(([, described, true_]) => described !== true_)).toEqual([]);
  expect(compared.filter(([, described]) => described).length).toBeGreaterThan(3);
});

test("every refusal's code is listed, and every example body is valid", async () => {
  const listed: string[] = document.components.schemas.Refusal.properties.code.enum;
  expect(listed.toSorted()).toEqual(Object.keys(refusals).toSorted());
  const key = await stage.handOut();
  const ada = stage.person();
  await ada.register(key, "example");
  for (const call of calls.filter(({ example }) => example !== undefined && example !== null)) {
    const answer = await ada.send(call.method, call.path, {
      body: JSON.stringify(call.example),
      headers: { "content-type": "application/json" },
    });
    expect([call.path, answer.body.code]).not.toEqual([call.path, "invalid_field"]);
  }
});

test("no pattern of the description is slow on 15,000 characters", () => {
  const patterns = [...new Set(patternsIn(document))];
  expect(patterns.length).toBeGreaterThan(3);
  const slow = patterns.map((source) => [source, slowedBy(new RegExp(source, "u"))]);
  expect(slow.filter(([, by]) => by !== null)).toEqual([]);
});

/** Every `pattern` in a schema. */
function patternsIn(node: unknown): string[] {
  if (typeof node !== "object" || node === null) return [];
  return Object.entries(node).flatMap(([name, value]) =>
    name === "pattern" && typeof value === "string" ? [value] : patternsIn(value),
  );
}

test("the page lists every refusal, carries no script, contacts no other host, and its files may be kept until they change", async () => {
  const { headers, body, status } = await stage.person().get("/api/docs/");
  expect(status).toBe(200);
  expect(headers.get("content-type")).toMatch(/^text\/html/);
  const html: string = body;
  for (const code of Object.keys(refusals)) expect(html).toContain(`<code>${code}</code>`);
  expect(html).not.toMatch(/<script>|<style|\sstyle=|\son[a-z]+=/i);
  const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, to = ""]) => to);
  expect(files.map((file) => file.replace(/=\w+$/, "="))).toEqual([
    "/api/docs/swagger-ui.css?v=",
    "/api/docs/swagger-ui-bundle.js?v=",
    "/api/docs/viewer.js?v=",
    "/api/openapi.json",
  ]);
  const kept = async (path: string) => (await fetch(new URL(path, stage.url))).headers.get("cache-control");
  for (const file of files.slice(0, 3)) {
    expect(await kept(file)).toBe("public, max-age=31536000, immutable");
    expect(await kept(file.replace(/.$/, "-"))).toBe("no-store");
  }
  expect((await stage.person().get("/api/docs/routes.ts")).body.code).toBe("not_found");
});

test("an address of those files that says two things at once is refused like that of any call", async () => {
  const { status, body } = await stage.person().get("/api/docs/x?v=1&v=2");
  expect([status, body]).toMatchObject([400, { status: 400, code: "invalid_field", field: "v" }]);
});

test("the description and the files of its page are sent compressed, or uncompressed on request", async () => {
  for (const path of ["/api/openapi.json", "/api/docs/style.css", "/api/docs/swagger-ui-bundle.js"]) {
    const [packed, plain] = [await sent(path, "gzip, deflate, br"), await sent(path, "identity")];
    expect([path, packed.encoding, plain.encoding]).toEqual([path, "gzip", null]);
    expect(Bun.gunzipSync(packed.bytes)).toEqual(plain.bytes);
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2);
  }
});

test("the description is drawn up and compressed once, not while others wait for each that asks", async () => {
  await sent("/api/openapi.json", "gzip");
  const written = spyOn(JSON, "stringify");
  const { bytes } = await sent("/api/openapi.json", "gzip");
  const whole = written.mock.calls.filter(([value]) => Object.hasOwn(Object(value), "openapi"));
  written.mockRestore();
  expect(bytes.length).toBeGreaterThan(10_000);
  expect(whole).toEqual([]);
});

/** The answer's body as it came over the line. */
async function sent(path: string, encodings: string) {
  const url = new URL(path, stage.url);
  const answer = await fetch(url, { headers: { "accept-encoding": encodings }, decompress: false });
  return { encoding: answer.headers.get("content-encoding"), bytes: await answer.bytes() };
}
