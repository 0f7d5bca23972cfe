import { expect, test } from "bun:test";
import { second } from "@/contract/vocabulary/time";
import { openStage } from "../../support/shop/stage";
import { application, codeOf, customerWith, listDevices } from "./computers";
import { ask, call, decide } from "./signing-in";

const wide = {
  env: { LIMITS: "own=100000/60,device-guess=100000/60,device-guess-from=100000/60,other=100000/60" },
};

test("of two hundred approvals and two hundred polls at once, one approves and one gets the token", async () => {
  await using stage = await openStage(wide);
  const { person } = await customerWith(stage, 1);
  const asking = await ask(stage, "laptop");
  const approvals = await Promise.all(Array.from({ length: 200 }, () => decide(person, asking.userCode)));
  expect(approvals.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(approvals.filter(({ status }) => status === 404)).toHaveLength(199);
  stage.advance(5 * second);
  const polls = await Promise.all(Array.from({ length: 200 }, () => asking.poll()));
  const tokens = polls.flatMap(({ body }) => body.access_token ?? []);
  expect(tokens).toHaveLength(1);
  for (const { status, body } of polls) {
    if (status !== 200) expect(["slow_down", "invalid_grant"]).toContain(body.error);
  }
  expect(Object.keys(await listDevices(person))).toHaveLength(1);
  expect(await codeOf(application(stage, tokens[0]).validate("laptop"))).toBe("VALID");
});

test("an older copy of the shop hands out the same token, and no second one", async () => {
  await using stage = await openStage();
  const { person } = await customerWith(stage, 1);
  const asking = await ask(stage, "laptop");
  await decide(person, asking.userCode);
  const { rows, columns } = await stage.ctx.store.client.execute("SELECT * FROM device_requests");
  const first = (await asking.poll()).body.access_token;
  const [row] = rows;
  await stage.ctx.store.client.execute({
    sql: `INSERT INTO device_requests (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
    args: columns.map((name) => row?.[name] ?? null),
  });
  expect((await asking.poll()).body.access_token).toBe(first);
  expect((await call(stage, first, "me")).body.data.devices).toEqual({ used: 1, places: 1 });
});
