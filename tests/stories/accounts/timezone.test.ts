import { expect, test } from "bun:test";
import { operator } from "@/core/base/actor";
import { addStaff } from "@/domain/staff/staff-actions";
import { accounts } from "@/domain/schema/accounts";
import { openStage } from "../../support/shop/stage";
import { mailsTo, member, password } from "./people";

const unknown = ["Etc/Unknown", "", "Mars/Olympus", "x".repeat(1_000), null, 7, {}, undefined];

test("nobody is refused for a time zone that their browser doesn't know, which is UTC then", async () => {
  await using stage = await openStage();
  for (const [at, timezone] of unknown.entries()) {
    const username = `member${at}`;
    const body = {
      username,
      email: `${username}@example.com`,
      password,
      key: await stage.handOut(1),
      timezone,
    };
    const person = stage.person();
    expect([timezone, (await person.post("/api/auth/register", body)).status]).toEqual([timezone, 200]);
    const redeemed = await person.post("/api/licenses/redeem", { key: await stage.handOut(1), timezone });
    expect([timezone, redeemed.status]).toEqual([timezone, 200]);
  }
  const rows = await stage.ctx.store.db.select({ timezone: accounts.timezone }).from(accounts);
  expect(rows).toEqual(unknown.map(() => ({ timezone: "UTC" })));
  const berlin = { username: "ada", email: "ada@example.com", password, timezone: "Europe/Berlin" };
  await stage.person().post("/api/auth/register", { ...berlin, key: await stage.handOut() });
  expect(await stage.ctx.store.db.$count(accounts)).toBe(unknown.length + 1);
  const [last] = (await stage.ctx.store.db.select().from(accounts)).filter((row) => row.username === "ada");
  expect(last?.timezone).toBe("Europe/Berlin");
});

test("an invited colleague isn't refused for it either", async () => {
  await using stage = await openStage();
  await member(stage, "ada");
  await addStaff(
    stage.ctx,
    { named: "sam@example.com", role: "support", mail: "on" },
    { actor: operator, reason: "why" },
  );
  const [mail] = await mailsTo(stage, "sam@example.com");
  const token = /\/invitation#(\S+)/.exec(mail?.text ?? "")?.[1];
  const accepted = { token, username: "sam", password, timezone: "Etc/Unknown" };
  expect((await stage.person().post("/api/invitation", accepted)).status).toBe(200);
});
