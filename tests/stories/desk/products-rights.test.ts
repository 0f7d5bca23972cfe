import { afterAll, expect, test } from "bun:test";
import { minute } from "@/contract/time";
import { atDesk, type Colleague } from "../../support/people/desk";
import { openStage } from "../../support/shop/stage";

const stage = await openStage();
afterAll(() => stage[Symbol.asyncDispose]());
const olga = await atDesk(stage, "olga", "owner");
const sam = await atDesk(stage, "sam", "support");
const vera = await atDesk(stage, "vera", "viewer");

const forAll = ["offers", "codes", "releases", "changelog", "announcements"];
const forSupport = ["system"];
const forOwners = [
  "blocks",
  "webhooks",
  "webhooks/nothing",
  "webhooks/deliveries",
  "webhooks/deliveries/nothing",
  "keys",
  "settings",
  "releases/uploads",
  "releases/uploads/nothing",
];
/** Every call that changes something or prepares it. */
const writes = [
  "offers",
  "offers/nothing/change",
  "offers/nothing/retire",
  "codes",
  "codes/NOTHING/retire",
  "changelog",
  "changelog/nothing/edit",
  "changelog/nothing/remove",
  "releases/9.9.9/yank",
  "releases/9.9.9/rollout",
  "releases/uploads",
  "releases/uploads/nothing/finish",
  "releases/uploads/nothing/cancel",
  "announcements",
  "announcements/preview",
  "announcements/test",
  "announcements/nothing/stop",
  "blocks",
  "blocks/nothing/remove",
  "webhooks",
  "webhooks/nothing/change",
  "webhooks/nothing/enable",
  "webhooks/nothing/test",
  "webhooks/nothing/rotate",
  "webhooks/nothing/remove",
  "webhooks/replay",
  "keys",
  "keys/nothing/remove",
];

const statuses = async (
  who: Colleague,
  paths: string[],
  ask: (path: string) => Promise<{ status: number }>,
) =>
  Promise.all(paths.map(async (path) => [path, (await ask(path)).status])).then((all) => [
    who.person.address,
    all,
  ]);
const all = (who: Colleague, paths: string[], status: number) => [
  who.person.address,
  paths.map((path) => [path, status]),
];

test("viewers read what is sold and announced, support the system too, and owners the rest", async () => {
  const read = (who: Colleague) => (path: string) => who.get(path);
  for (const who of [olga, sam, vera])
    expect(await statuses(who, forAll, read(who))).toEqual(all(who, forAll, 200));
  expect(await statuses(sam, forSupport, read(sam))).toEqual(all(sam, forSupport, 200));
  expect(await statuses(vera, forSupport, read(vera))).toEqual(all(vera, forSupport, 403));
  for (const who of [sam, vera])
    expect(await statuses(who, forOwners, read(who))).toEqual(all(who, forOwners, 403));
  const known = forOwners.filter((path) => !path.endsWith("nothing"));
  expect(await statuses(olga, known, read(olga))).toEqual(all(olga, known, 200));
});

test("only owners write, whatever the body says, and nobody without the desk", async () => {
  const paths = [...writes, "system/check"];
  for (const who of [sam, vera]) {
    expect(await statuses(who, paths, (path) => who.post(path, { nonsense: 1 }))).toEqual(
      all(who, paths, 403),
    );
  }
  const stranger = stage.person();
  for (const path of [...paths, ...forAll, ...forOwners]) {
    const { status } = await stranger.post(`/api/desk/${path}`, {});
    // what can only be read takes no POST
    expect([path, status === 401 || status === 405]).toEqual([path, true]);
  }
});

test("a field that a call doesn't have, a short reason and an unknown filter are refused", async () => {
  for (const path of writes) {
    const answer = await olga.post(path, { nonsense: 1, reason: "no" });
    expect([path, answer.status, answer.body.code]).toEqual([path, 400, "invalid_field"]);
  }
  for (const path of [
    "offers",
    "codes",
    "releases",
    "changelog",
    "announcements",
    "blocks",
    "webhooks/deliveries",
    "keys",
  ]) {
    const answer = await olga.get(`${path}?mistyped=1`);
    expect([path, answer.status, answer.body.field]).toEqual([path, 400, "mistyped"]);
  }
  for (const query of [
    "blocks?kind=devise",
    "offers?state=sold",
    "releases?channel=stable",
    "webhooks/deliveries?state=lost",
    "codes?after=x",
    "keys?limit=0",
  ]) {
    expect([query, (await olga.get(query)).status]).toEqual([query, 400]);
  }
});

test("a missing thing is reported before a fresh code is asked for, and the code before any other refusal", async () => {
  const reason = "a story";
  await olga.post("offers", { id: "month", name: "Month", amount: 200, reason });
  await olga.post("codes", { code: "LAUNCH", percent: 20, reason });
  const block = (await olga.post("blocks", { kind: "discord", value: "123456789012345678", reason })).body
    .data.id;
  const hook = (await olga.post("webhooks", { url: "https://receiver.example.com/", reason })).body.data.id;
  const key = (await olga.post("keys", { name: "forum", reason })).body.data.id;
  const letter = { subject: "News", content: "Text", reason };
  const announcement = (await olga.post("announcements", letter)).body.data.id;
  stage.advance(11 * minute);
  const missing: [string, object][] = [
    ["offers/nothing/change", { amount: 1 }],
    ["offers/nothing/retire", {}],
    ["codes/NOTHING/retire", {}],
    ["releases/9.9.9/yank", {}],
    ["releases/9.9.9/rollout", { rollout: 1 }],
    ["releases/uploads/nothing/finish", {}],
    ["announcements/nothing/stop", {}],
    ["blocks/nothing/remove", {}],
    ["webhooks/nothing/change", { events: null }],
    ["webhooks/nothing/enable", {}],
    ["webhooks/nothing/test", {}],
    ["webhooks/nothing/rotate", {}],
    ["webhooks/nothing/remove", {}],
    ["webhooks/replay", { id: "evt_nothing" }],
    ["keys/nothing/remove", {}],
  ];
  for (const [path, body] of missing) {
    expect([path, (await olga.post(path, { ...body, reason })).status]).toEqual([path, 404]);
  }
  const file = { name: "Wisp-Setup.exe", size: 1, sha256: "0".repeat(64) };
  const stale: [string, object][] = [
    ["offers", { id: "month", name: "Month", amount: 200 }],
    ["offers/month/change", { amount: 1 }],
    ["offers/premium/change", { amount: 1 }],
    ["offers/month/retire", {}],
    ["codes", { code: "LAUNCH", percent: 20 }],
    ["codes/LAUNCH/retire", {}],
    ["releases/uploads", { version: "none", title: "One", files: [file] }],
    ["announcements", letter],
    [`announcements/${announcement}/stop`, {}],
    ["blocks", { kind: "discord", value: "123456789012345678" }],
    [`blocks/${block}/remove`, {}],
    ["webhooks", { url: "https://receiver.example.com/" }],
    [`webhooks/${hook}/change`, { events: null }],
    [`webhooks/${hook}/enable`, {}],
    [`webhooks/${hook}/test`, {}],
    [`webhooks/${hook}/rotate`, {}],
    [`webhooks/${hook}/remove`, {}],
    ["webhooks/replay", { since: "2026-01-01T00:00:00Z" }],
    ["keys", { name: "forum" }],
    [`keys/${key}/remove`, {}],
  ];
  for (const [path, body] of stale) {
    const answer = await olga.post(path, { ...body, reason });
    expect([path, answer.status, answer.body.code]).toEqual([path, 403, "confirm"]);
  }
  await olga.confirm();
  expect((await olga.post("offers/month/retire", { reason })).status).toBe(200);
});
