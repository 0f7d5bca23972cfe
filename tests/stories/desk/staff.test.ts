import { expect, test } from "bun:test";
import { hour, minute } from "@/contract/time";
import { atDesk } from "../../support/people/desk";
import { operate, operateWith, settingsOf } from "../../support/operator/run-operator";
import { openStage, type Stage } from "../../support/shop/stage";
import { changeEmail, login, mailsTo, me, member } from "../accounts/people";

const why = ["--reason", "a story"];
const password = "a long enough phrase";
const timezone = "Europe/Berlin";

/** The token in the newest invitation that an address got. */
async function invited(stage: Stage, to: string): Promise<string> {
  const mails = await mailsTo(stage, to);
  const text = mails.find(({ subject }) => subject.startsWith("You are invited"))?.text ?? "";
  return /\/invitation#(\S+)/.exec(text)?.[1] ?? "";
}

test("an invited address gets an account with a role and without a licence, once", async () => {
  await using stage = await openStage();
  await operate(stage, "staff", "add", "Sam@Example.com", "--role", "support", ...why);
  const token = await invited(stage, "Sam@Example.com");
  const sam = stage.person();
  const typed = { token, username: "sam", password, timezone };
  const wrong = await sam.post("/api/invitation", { ...typed, token: `${token}x` });
  expect(wrong.body).toMatchObject({ status: 400, code: "invitation_invalid" });
  expect((await sam.post("/api/invitation", { ...typed, password: "password" })).status).toBe(400);
  expect((await sam.post("/api/invitation", typed)).body).toEqual({ status: 200, data: { username: "sam" } });
  expect((await me(sam)).data).toMatchObject({
    staff: "support",
    active_license: false,
    email: "Sam@Example.com",
  });
  const again = await stage.person().post("/api/invitation", { ...typed, username: "sam2" });
  expect(again.body).toMatchObject({ status: 400, code: "invitation_invalid" });
});

test("only an address that mail can be sent to is invited, from the desk and from the command line", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const invite = (typed: string) =>
    olga.post("staff", { name_or_email: typed, role: "support", reason: "a story" });
  for (const typed of [
    "@",
    "sam@",
    "sam@shop",
    "sam@example.com\r\nBcc: eve@example.com",
    "s am@example.com",
  ]) {
    const { status, code, field } = (await invite(typed)).body;
    expect([typed, status, code, field]).toEqual([typed, 400, "invalid_field", "name_or_email"]);
  }
  const typedThere = await operate(stage, "staff", "add", "sam@shop", "--role", "support", ...why);
  expect(typedThere.code).not.toBe(0);
  expect((await olga.get("staff")).body.data.invitations).toEqual([]);
  // stored as mail servers take it
  expect((await invite("ｓａｍ@example.com")).body.data.invitation.email).toBe("sam@example.com");
});

test("the newest invitation of an address counts, for 72 hours", async () => {
  await using stage = await openStage();
  await operate(stage, "staff", "add", "sam@example.com", "--role", "owner", ...why);
  const first = await invited(stage, "sam@example.com");
  stage.advance(hour);
  await operate(stage, "staff", "add", "sam@example.com", "--role", "viewer", ...why);
  const second = await invited(stage, "sam@example.com");
  expect(second).not.toBe(first);
  const accept = (token: string) =>
    stage.person().post("/api/invitation", { token, username: "sam", password, timezone });
  expect((await accept(first)).body.code).toBe("invitation_invalid");
  stage.advance(72 * hour);
  expect((await accept(second)).body.code).toBe("invitation_invalid");
});

test("200 racing uses of one invitation make one account", async () => {
  await using stage = await openStage();
  await operate(stage, "staff", "add", "sam@example.com", "--role", "owner", ...why);
  const token = await invited(stage, "sam@example.com");
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      stage.person().post("/api/invitation", { token, username: `sam${at}`, password, timezone }),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const rows = await stage.ctx.store.client.execute("SELECT count(*) AS n FROM staff");
  expect(rows.rows[0]?.["n"]).toBe(1);
});

test("taking an invited address gives an account no role, neither at sign-in nor when the address is appointed again", async () => {
  await using stage = await openStage();
  await operate(stage, "staff", "add", "sam@example.com", "--role", "owner", ...why);
  const eve = await member(stage, "eve");
  await stage.shop.worker.drain();
  await changeEmail(stage, eve, "sam@example.com");
  await login(eve, "eve");
  expect((await me(eve)).data).toMatchObject({ email: "sam@example.com", staff: null });
  const again = await operate(stage, "staff", "add", "sam@example.com", "--role", "owner", ...why);
  expect(again.out).toContain("An invitation goes to sam@example.com");
  expect((await me(eve)).data.staff).toBeNull();
});

test("an account joins the staff by the mailed link, once, and keeps its address", async () => {
  await using stage = await openStage();
  await operate(stage, "staff", "add", "sam@example.com", "--role", "support", ...why);
  const token = await invited(stage, "sam@example.com");
  const sam = await member(stage, "samuel");
  const join = (typed: string) => sam.post("/api/invitation/join", { token: typed });
  expect((await join(`${token}x`)).body).toMatchObject({ status: 400, code: "invitation_invalid" });
  expect((await stage.person().post("/api/invitation/join", { token })).status).toBe(401);
  expect((await join(token)).body).toEqual({ status: 200, data: { username: "samuel" } });
  expect((await me(sam)).data).toMatchObject({ staff: "support", email: "samuel@example.com" });
  expect((await join(token)).body.code).toBe("invitation_invalid");
  const late = await stage.person().post("/api/invitation", { token, username: "sam2", password, timezone });
  expect(late.body.code).toBe("invitation_invalid");
});

test("the role of a member of staff changes by name; an invitation to their address keeps it", async () => {
  await using stage = await openStage();
  const sam = await member(stage, "sam");
  await operate(stage, "staff", "add", "sam", "--role", "viewer", ...why);
  await operate(stage, "staff", "add", "sam", "--role", "support", ...why);
  expect((await me(sam)).data.staff).toBe("support");
  await operate(stage, "staff", "add", "sam@example.com", "--role", "owner", ...why);
  const token = await invited(stage, "sam@example.com");
  const joined = await sam.post("/api/invitation/join", { token });
  expect(joined.body).toMatchObject({ status: 409, code: "already_staff" });
  expect((await me(sam)).data.staff).toBe("support");
});

test("the desk keeps an owner, and the command line may take the last one's role", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const reason = "a story";
  const [own] = (await olga.get("staff")).body.data.members;
  expect((await olga.post(`staff/${own.id}/remove`, { reason })).body.code).toBe("last_owner");
  const lower = await olga.post("staff", { name_or_email: "olga", role: "viewer", reason });
  expect(lower.body.code).toBe("last_owner");
  await operate(stage, "staff", "remove", "olga", ...why);
  expect((await olga.get("staff")).status).toBe(401);
});

test("of two owners who take each other's role at once, one stays", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const otto = await atDesk(stage, "otto", "owner");
  await olga.confirm();
  await otto.confirm();
  const { members } = (await olga.get("staff")).body.data;
  const idOf = (name: string) =>
    members.find((one: { account: { username: string } }) => one.account.username === name).id;
  const answers = await Promise.all([
    olga.post(`staff/${idOf("otto")}/remove`, { reason: "a story" }),
    otto.post(`staff/${idOf("olga")}/remove`, { reason: "a story" }),
  ]);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});

test("a body is judged first, then whether the member of staff is there, and then the code", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  stage.advance(11 * minute);
  expect((await olga.post("staff/nobody/remove", { reason: "x" })).body).toMatchObject({
    status: 400,
    code: "invalid_field",
    field: "reason",
  });
  expect((await olga.post("staff/nobody/remove", { reason: "a story" })).body.code).toBe("staff_unknown");
  const [own] = (await olga.get("staff")).body.data.members;
  expect((await olga.post(`staff/${own.id}/remove`, { reason: "a story" })).body.code).toBe("confirm");
});

test("a shop that sends no mail shows the invitation's link instead", async () => {
  await using stage = await openStage();
  const { SMTP_URL: _, MAIL_FROM: __, ...settings } = settingsOf(stage);
  const { out } = await operateWith(
    { ...settings, MAIL: "off" },
    "staff",
    "add",
    "sam@example.com",
    "--role",
    "viewer",
    ...why,
  );
  const [, token = ""] = /\/invitation#(\S+)/.exec(out) ?? [];
  const accepted = await stage
    .person()
    .post("/api/invitation", { token, username: "sam", password, timezone });
  expect(accepted.status).toBe(200);
});
