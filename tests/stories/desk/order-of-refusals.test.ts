import { afterAll, expect, test } from "bun:test";
import { minute } from "@/contract/vocabulary/time";
import { atDesk } from "../../support/people/desk";
import { openStage } from "../../support/shop/stage";
import { member } from "../accounts/people";

const stage = await openStage();
afterAll(() => stage[Symbol.asyncDispose]());
const olga = await atDesk(stage, "olga", "owner");

const ofCustomers: [string, object][] = [
  ["reset-mfa", {}],
  ["change-email", { email: "ada@example.com" }],
  ["link", { discord_id: "123456789012345678" }],
  ["unlink", {}],
  ["erase", {}],
  ["grant", { offer: "nothing" }],
];

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
  const adas = `customers/${(await (await member(stage, "ada")).get("/api/user/me")).body.data.id}`;
  const [own] = (await olga.get("staff")).body.data.members;
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
    ["staff/nobody/remove", {}],
    ...ofCustomers.map(([verb, body]): [string, object] => [`customers/nobody/${verb}`, body]),
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
    [`staff/${own.id}/remove`, {}],
    ...ofCustomers.map(([verb, body]): [string, object] => [`${adas}/${verb}`, body]),
  ];
  for (const [path, body] of stale) {
    const answer = await olga.post(path, { ...body, reason });
    expect([path, answer.status, answer.body.code]).toEqual([path, 403, "confirm"]);
  }
  await olga.confirm();
  expect((await olga.post("offers/month/retire", { reason })).status).toBe(200);
});
