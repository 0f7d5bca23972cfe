import { expect, test } from "bun:test";
import { hour, minute } from "@/contract/vocabulary/time";
import { operate } from "../../support/operator/run-operator";
import { atDesk, type Colleague, colleague } from "../../support/people/desk";
import { openStage, type Stage } from "../../support/shop/stage";
import { codeAt, login, me, nextStep, recover, turnOnMfa } from "../accounts/people";

const reason = "a story";
const why = ["--reason", reason];

/** Recovers an account, which ends its two-factor, signs in and turns two-factor on anew. */
async function recoverAndSignIn(
  stage: Stage,
  { person }: Colleague,
  name: string,
): Promise<{ secret: string }> {
  await recover(stage, `${name}@example.com`);
  expect((await login(person, name)).status).toBe(200);
  expect((await person.post("/api/desk/enter", {})).body).toMatchObject({ status: 403, code: "role_asleep" });
  return turnOnMfa(stage, person);
}

type Listed = { id: string; account: { username: string }; asleep_since: string | null };
async function staffMember({ get }: Colleague, name: string): Promise<Listed> {
  const { members } = (await get("staff")).body.data;
  return members.find(({ account }: Listed) => account.username === name);
}

test("a role sleeps when a recovery leaves its account without two-factor, until another owner wakes it with a code", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const sam = await atDesk(stage, "sam", "support");
  const { secret } = await recoverAndSignIn(stage, sam, "sam");
  const enter = () => sam.post("enter", { security_code: codeAt(stage, secret) });
  expect((await enter()).body).toMatchObject({ status: 403, code: "role_asleep" });
  expect((await me(sam.person)).data).toMatchObject({ staff: "support", staff_asleep: true });

  const { id, asleep_since: since } = await staffMember(olga, "sam");
  expect(since).not.toBeNull();
  // another role sleeps on
  const change = { name_or_email: "sam", role: "viewer", reason };
  await olga.confirm();
  expect((await olga.post("staff", change)).status).toBe(200);
  expect((await enter()).body.code).toBe("role_asleep");

  stage.advance(11 * minute);
  expect((await olga.post(`staff/${id}/wake`, { reason })).body.code).toBe("confirm");
  await olga.confirm();
  const woken = await olga.post(`staff/${id}/wake`, { reason });
  expect(woken.body.data.members).toContainEqual(expect.objectContaining({ id, asleep_since: null }));
  await nextStep(stage);
  expect((await enter()).body.data).toEqual({ name: "sam", role: "viewer" });
  expect((await me(sam.person)).data.staff_asleep).toBe(false);
  const { rows } = await stage.ctx.store.client.execute(
    "SELECT action, reason FROM audit_log WHERE action IN ('staff.fell_asleep', 'staff.woken') ORDER BY id",
  );
  expect(rows.map((row) => [row["action"], row["reason"]])).toEqual([
    ["staff.fell_asleep", null],
    ["staff.woken", reason],
  ]);
});

test("a member of staff whose own role sleeps wakes nobody", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const otto = await atDesk(stage, "otto", "owner");
  await recoverAndSignIn(stage, otto, "otto");
  const { id } = await staffMember(olga, "otto");
  expect((await otto.post(`staff/${id}/wake`, { reason })).body.code).toBe("unauthenticated");
  expect((await olga.post("staff/nobody/wake", { reason })).body.code).toBe("staff_unknown");
  expect((await staffMember(olga, "otto")).asleep_since).not.toBeNull();
});

test("a shop whose only owner sleeps is woken on the command line", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const { secret } = await recoverAndSignIn(stage, olga, "olga");
  expect((await operate(stage, "staff", "list")).out).toMatch(/olga.*asleep/);
  expect((await operate(stage, "staff", "wake", "nobody", ...why)).code).not.toBe(0);
  expect((await operate(stage, "staff", "wake", "olga", ...why)).out).toContain("olga is awake: owner");
  expect((await operate(stage, "staff", "list")).out).not.toContain("asleep");
  const entered = await olga.post("enter", { security_code: codeAt(stage, secret) });
  expect(entered.body.data).toEqual({ name: "olga", role: "owner" });
});

test("a role stays awake where two-factor stays, and sleeps where there never was any", async () => {
  await using stage = await openStage();
  const olga = await colleague(stage, "olga", "owner");
  await recover(stage, "olga@example.com");
  await login(olga.person, "olga");
  await operate(stage, "staff", "wake", "olga", ...why);
  // nobody doubts two-factor of an account whose address was confirmed long before
  const { secret } = await turnOnMfa(stage, olga.person);
  stage.advance(73 * hour);
  await recover(stage, "olga@example.com");
  await login(olga.person, "olga", { security_code: codeAt(stage, secret) });
  await nextStep(stage);
  expect((await olga.post("enter", { security_code: codeAt(stage, secret) })).status).toBe(200);

  const ada = await colleague(stage, "ada", "viewer");
  await nextStep(stage);
  const off = { security_code: codeAt(stage, ada.secret), password: "a long enough phrase" };
  expect((await ada.person.post("/api/user/mfa/remove", off)).status).toBe(200);
  await recover(stage, "ada@example.com");
  await login(ada.person, "ada");
  expect((await ada.post("enter", {})).body.code).toBe("role_asleep");
});

test("the desk keeps an owner who is awake", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const otto = await atDesk(stage, "otto", "owner");
  await recoverAndSignIn(stage, otto, "otto");
  await olga.confirm();
  const [own, his] = [await staffMember(olga, "olga"), await staffMember(olga, "otto")];
  expect((await olga.post(`staff/${own.id}/remove`, { reason })).body.code).toBe("last_owner");
  const lower = { name_or_email: "olga", role: "viewer", reason };
  expect((await olga.post("staff", lower)).body.code).toBe("last_owner");
  expect((await olga.post(`staff/${his.id}/remove`, { reason })).status).toBe(200);
});
