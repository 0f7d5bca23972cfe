import { expect, test } from "bun:test";
import { hour, minute } from "@/contract/vocabulary/time";
import { appoint, atDesk } from "../../support/people/desk";
import { operate, operateWith, settingsOf } from "../../support/operator/run-operator";
import { openStage, type Stage } from "../../support/shop/stage";
import {
  changeEmail,
  codeAt,
  confirmation,
  login,
  mailsTo,
  me,
  member,
  turnOnMfa,
  unproven,
  wrongCode,
} from "../accounts/people";

const why = ["--reason", "a story"];
const password = "a long enough phrase";
const timezone = "Europe/Berlin";

/** The token in the newest invitation that an address got. */
async function invited(stage: Stage, to: string): Promise<string> {
  const mails = await mailsTo(stage, to);
  const text = mails.find(({ subject }) => subject.startsWith("You're invited"))?.text ?? "";
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
    // the link has proven the mailbox
    email_confirmed: true,
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
  const sam = await unproven(stage, "samuel");
  const join = (typed: string) => sam.post("/api/invitation/join", { token: typed, password });
  expect((await join(`${token}x`)).body).toMatchObject({ status: 400, code: "invitation_invalid" });
  expect((await stage.person().post("/api/invitation/join", { token, password })).status).toBe(401);
  expect((await join(token)).body).toEqual({ status: 200, data: { username: "samuel" } });
  expect((await me(sam)).data).toMatchObject({
    staff: "support",
    email: "samuel@example.com",
    email_confirmed: false,
  });
  expect((await join(token)).body.code).toBe("invitation_invalid");
  const late = await stage.person().post("/api/invitation", { token, username: "sam2", password, timezone });
  expect(late.body.code).toBe("invitation_invalid");
});

test("a session alone joins nobody: accepting takes the password and, with two-factor, a code", async () => {
  await using stage = await openStage();
  const sam = await member(stage, "samuel");
  const { secret } = await turnOnMfa(stage, sam);
  await operate(stage, "staff", "add", "sam@example.com", "--role", "owner", ...why);
  const token = await invited(stage, "sam@example.com");
  const join = (typed: object = {}) => sam.post("/api/invitation/join", { token, ...typed });
  expect((await join()).body).toMatchObject({ status: 403, code: "reauthenticate" });
  // the sign-in itself does not count
  await login(sam, "samuel", { security_code: codeAt(stage, secret) });
  expect((await join()).body.code).toBe("reauthenticate");
  stage.advance(minute);
  const code = codeAt(stage, secret);
  expect((await join({ password: "wrong", security_code: code })).body).toMatchObject({
    status: 401,
    code: "password_wrong",
  });
  expect((await join({ password })).body.code).toBe("mfa_required");
  const wrong = await join({ password, security_code: wrongCode(stage, secret) });
  expect(wrong.body.code).toBe("mfa_code_invalid");
  expect((await me(sam)).data.staff).toBeNull();
  expect((await join({ password, security_code: code })).status).toBe(200);
  expect((await me(sam)).data.staff).toBe("owner");
});

test("a password typed in the session after its sign-in joins too", async () => {
  await using stage = await openStage();
  const sam = await member(stage, "samuel");
  await operate(stage, "staff", "add", "sam@example.com", "--role", "viewer", ...why);
  const token = await invited(stage, "sam@example.com");
  stage.advance(minute);
  await sam.prove();
  expect((await sam.post("/api/invitation/join", { token })).status).toBe(200);
});

test("an account named for the staff is mailed the link at its confirmed address, and has no role before it accepts", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const sam = await unproven(stage, "sam");
  const wanted = { name_or_email: "sam", role: "support", reason: "a story" };
  expect((await olga.post("staff", wanted)).body).toMatchObject({ status: 409, code: "email_unconfirmed" });
  const typed = await operate(stage, "staff", "add", "sam", "--role", "support", ...why);
  expect(typed.code).not.toBe(0);
  expect(typed.err).toContain("isn't confirmed");
  expect(await invited(stage, "sam@example.com")).toBe("");

  const { code } = await confirmation(stage, "sam@example.com");
  expect((await sam.post("/api/user/email/confirm", { code })).status).toBe(200);
  const added = await olga.post("staff", wanted);
  expect(added.body.data).toMatchObject({
    account: null,
    invitation: { email: "sam@example.com", link: null },
  });
  await login(sam, "sam");
  expect((await me(sam)).data.staff).toBeNull();
  const token = await invited(stage, "sam@example.com");
  expect((await sam.post("/api/invitation/join", { token, password })).status).toBe(200);
  expect((await me(sam)).data.staff).toBe("support");

  // from then on by name, at once
  expect((await olga.post("staff", { ...wanted, role: "viewer" })).body.data).toMatchObject({
    account: { username: "sam" },
    invitation: null,
  });
  expect((await me(sam)).data.staff).toBe("viewer");
});

test("the role of a member of staff changes by name; an invitation to their address keeps it", async () => {
  await using stage = await openStage();
  const sam = await member(stage, "sam");
  await appoint(stage.ctx, "sam", "viewer");
  const changed = await operate(stage, "staff", "add", "sam", "--role", "support", ...why);
  expect(changed.out).toContain("sam is support now");
  expect((await me(sam)).data.staff).toBe("support");
  await operate(stage, "staff", "add", "sam@example.com", "--role", "owner", ...why);
  const token = await invited(stage, "sam@example.com");
  const joined = await sam.post("/api/invitation/join", { token, password });
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

test("a shop that sends no mail shows the invitation's link instead, which proves no mailbox", async () => {
  await using stage = await openStage();
  const { SMTP_URL: _, MAIL_FROM: __, ...settings } = settingsOf(stage);
  const invite = async (who: string, role: string) => {
    const typed = ["staff", "add", who, "--role", role, ...why];
    const { out } = await operateWith({ ...settings, MAIL: "off" }, ...typed);
    return /\/invitation#(\S+)/.exec(out)?.[1] ?? "";
  };
  const [sam, token] = [stage.person(), await invite("sam@example.com", "viewer")];
  const accepted = await sam.post("/api/invitation", { token, username: "sam", password, timezone });
  expect(accepted.status).toBe(200);
  expect((await me(sam)).data).toMatchObject({ staff: "viewer", email_confirmed: false });

  // who is named needs no confirmed address there
  const olga = await member(stage, "olga");
  const printed = await invite("olga", "owner");
  expect((await me(olga)).data.staff).toBeNull();
  const joined = await olga.post("/api/invitation/join", { token: printed, password });
  expect(joined.status).toBe(200);
  expect((await me(olga)).data.staff).toBe("owner");
});
