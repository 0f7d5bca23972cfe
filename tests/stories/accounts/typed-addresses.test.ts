/** An address that was only typed identifies nobody: what several accounts may have, and what its mailbox recovers. */
import { expect, test } from "bun:test";
import { day, hour, minute } from "@/contract/vocabulary/time";
import type { Person } from "../../support/people/person";
import { openStage } from "../../support/shop/stage";
import {
  changeEmail,
  confirmation,
  login,
  mailsTo,
  me,
  member,
  password,
  prove,
  recoveryTo,
  turnOnMfa,
  typist,
  useLink,
} from "./people";

const email = "shared@example.com";
const fresh = "another long phrase";

const confirm = async (person: Person, body: object) =>
  (await person.post("/api/user/email/confirm", body)).body;

test("an address that others only typed is free, and its first proof strikes it from them", async () => {
  await using stage = await openStage();
  const [ada, bert] = [await typist(stage, "ada", email), await typist(stage, "bert", email)];
  const { code } = await confirmation(stage, email);
  const owner = (await confirm(bert, { code })).status === 200 ? bert : ada;
  if (owner === ada) expect((await confirm(ada, { code })).status).toBe(200);
  const loser = owner === ada ? bert : ada;
  expect((await me(owner)).data).toMatchObject({ email, email_confirmed: true });
  expect((await me(loser)).data).toMatchObject({ email: null, email_confirmed: false, email_pending: null });
  expect((await confirm(loser, {})).code).toBe("email_confirmed");
  // it keeps its name, password and license, and takes another address
  expect((await me(loser)).data.active_license).toBe(true);
  const name = (await me(loser)).data.username;
  expect((await login(stage.person(), name)).status).toBe(200);
  const reset = { email, password };
  expect((await loser.post("/api/user/email/reset", reset)).body.code).toBe("email_taken");
  await changeEmail(stage, loser, "own@example.com");
  expect((await me(loser)).data).toMatchObject({ email: "own@example.com", email_confirmed: true });
});

test("an address signs in while one account alone has it, or the one that confirmed it", async () => {
  await using stage = await openStage();
  await typist(stage, "ada", email);
  expect((await login(stage.person(), email)).status).toBe(200);
  await typist(stage, "bert", email);
  expect((await login(stage.person(), email)).body.code).toBe("credentials_invalid");
  await prove(stage, "bert");
  const entered = stage.person();
  expect((await login(entered, email)).status).toBe(200);
  expect((await me(entered)).data.username).toBe("bert");
});

test("of several accounts that typed an address its mailbox chooses the one to recover, which then has it alone", async () => {
  await using stage = await openStage();
  const people = [];
  for (const name of ["ada", "bert", "cleo", "dora", "emil", "fay"]) {
    people.push(await typist(stage, name, email));
    stage.advance(minute);
  }
  const { text, tokens } = await recoveryTo(stage, email);
  expect(text).toContain("Several accounts use this address");
  expect(/^\s*\d{6}\s*$/m.test(text)).toBe(false);
  expect(tokens).toHaveLength(5);
  expect(text.indexOf("for ada")).toBeLessThan(text.indexOf("for emil"));
  expect(text).not.toContain("for fay");
  expect(await useLink(stage, tokens[1] ?? "")).toBe("recovered");
  const bert = stage.person();
  expect((await login(bert, "bert", { password: fresh })).status).toBe(200);
  expect((await me(bert)).data).toMatchObject({ email, email_confirmed: true });
  expect((await me(people[0] ?? bert)).data.email).toBeNull();
  expect((await recoveryTo(stage, email)).tokens).toHaveLength(1);
});

test("an account without a confirmed address is recovered where its key was mailed, not where somebody typed", async () => {
  await using stage = await openStage();
  const { key } = await stage.buy("buyer@example.com");
  await typist(stage, "ada", email, key);
  await member(stage, "bert");
  expect((await recoveryTo(stage, email)).tokens).toEqual([]);
  const { tokens } = await recoveryTo(stage, "buyer@example.com");
  expect(tokens).toHaveLength(1);
  expect(await useLink(stage, tokens[0] ?? "")).toBe("recovered");
  const ada = stage.person();
  await login(ada, "ada", { password: fresh });
  expect((await me(ada)).data).toMatchObject({ email: "buyer@example.com", email_confirmed: true });
});

test("a mailbox that strangers bought keys for recovers its own account, also once it has proven itself for one of theirs", async () => {
  await using stage = await openStage();
  const boughtFor = async (name: string) => {
    const { key } = await stage.buy(email);
    const person = stage.person();
    const typed = { username: name, email: `${name}@example.com`, password, key, timezone: "UTC" };
    expect((await person.post("/api/auth/register", typed)).status).toBe(200);
    stage.advance(minute);
    return person;
  };
  for (const name of ["eve1", "eve2", "eve3", "eve4", "eve5", "eve6"]) await boughtFor(name);
  const ada = await boughtFor("ada");
  await turnOnMfa(stage, ada);
  const first = await recoveryTo(stage, email);
  expect(first.text).not.toContain("for ada");
  expect(await useLink(stage, first.tokens[0] ?? "")).toBe("recovered");
  const owner = stage.person();
  await login(owner, "eve1", { password: fresh });
  expect((await me(owner)).data).toMatchObject({ email, email_confirmed: true });

  // the digits are for the account that confirmed the address; each recovery makes room for another
  const second = await recoveryTo(stage, email);
  expect(/^\s*\d{6}\s*$/m.test(second.text)).toBe(true);
  expect(second.tokens).toHaveLength(6);
  expect(second.text).not.toContain("for ada");
  expect(await useLink(stage, second.tokens[1] ?? "")).toBe("recovered");
  const third = await recoveryTo(stage, email);
  expect(third.text).toContain("for ada");
  expect(await useLink(stage, third.tokens[5] ?? "", password)).toBe("recovered");
  expect((await me(ada)).code).toBe("unauthenticated");
  const entered = stage.person();
  expect((await login(entered, "ada")).status).toBe(200);
  expect((await me(entered)).data).toMatchObject({ email: null, email_confirmed: false });
  expect((await me(owner)).data).toMatchObject({ email, email_confirmed: true });
  const told = (await mailsTo(stage, email)).filter(({ subject }) => subject === "Your password was reset");
  expect(told).toHaveLength(3);

  await changeEmail(stage, entered, "ada@example.com");
  expect((await recoveryTo(stage, email)).text).not.toContain("for ada");
});

test("a link that was mailed before another account confirmed the address recovers where the key was mailed alone", async () => {
  await using stage = await openStage();
  const { key } = await stage.buy(email);
  const body = { username: "keyed", email: "keyed@example.com", password, key, timezone: "UTC" };
  await stage.person().post("/api/auth/register", body);
  await typist(stage, "typed", email);
  const bert = await typist(stage, "bert", email);
  const { tokens } = await recoveryTo(stage, email);
  await prove(stage, "bert");
  expect(await useLink(stage, tokens[1] ?? "")).toBe("recovery_refused");
  expect(await useLink(stage, tokens[0] ?? "")).toBe("recovered");
  expect((await me(bert)).data).toMatchObject({ email, email_confirmed: true });
});

test("a key that was added later says nothing about the mailbox", async () => {
  await using stage = await openStage();
  const { key } = await stage.buy("buyer@example.com");
  const ada = await typist(stage, "ada", email, await stage.handOut(30));
  stage.advance(hour);
  expect((await ada.post("/api/licenses/redeem", { key, timezone: "UTC" })).status).toBe(200);
  expect((await recoveryTo(stage, "buyer@example.com")).tokens).toEqual([]);
  expect((await recoveryTo(stage, email)).tokens).toHaveLength(1);
});

test("a mailbox that nobody confirmed gets three recovery mails a day, whose links work for a day", async () => {
  await using stage = await openStage();
  await typist(stage, "ada", email);
  const first = await recoveryTo(stage, email);
  expect(first.text).toContain("within 24 hours");
  for (let time = 0; time < 3; time += 1) await recoveryTo(stage, email);
  const sent = (await mailsTo(stage, email)).filter(({ subject }) => subject === "Your verification code");
  expect(sent).toHaveLength(3);
  stage.advance(day - minute);
  expect(await useLink(stage, first.tokens[0] ?? "")).toBe("recovered");
});

test("a person who types a customer's address keeps nobody from it, and gets none of their orders", async () => {
  await using stage = await openStage();
  await stage.buy(email);
  const thief = await typist(stage, "thief", email);
  const { key } = await stage.buy(email);
  const owner = await typist(stage, "owner", email, key);
  const { code } = await confirmation(stage, email);
  expect((await confirm(owner, { code })).data).toEqual({ email, confirmed: true });
  expect((await me(thief)).data.email).toBeNull();
  expect((await thief.get("/api/payments")).body.data).toEqual([]);
});

test("a mailbox that nobody confirmed gets no security notices, and learns of them once it is confirmed", async () => {
  await using stage = await openStage();
  const ada = await typist(stage, "ada", email);
  const changed = { old_password: password, new_password: fresh, security_code: "" };
  expect((await ada.post("/api/user/password/reset", changed)).status).toBe(200);
  await confirm(ada, {});
  const { code } = await confirmation(stage, email);
  const before = (await mailsTo(stage, email)).map(({ subject }) => subject);
  expect(new Set(before)).toEqual(new Set(["Confirm your email address"]));
  expect((await confirm(ada, { code })).status).toBe(200);
  const [told] = await mailsTo(stage, email);
  expect(told?.subject).toBe("What happened before you confirmed your address");
  expect(told?.text).toContain("Password changed");
});

test("a person who gets the link of somebody else's registration removes the address from that account", async () => {
  await using stage = await openStage();
  const ada = await typist(stage, "ada", email);
  const { token } = await confirmation(stage, email);
  expect((await stage.person().post("/api/user/email/decline", { token })).status).toBe(200);
  expect((await me(ada)).data).toMatchObject({ email: null, email_pending: null });
  const bert = await member(stage, "bert");
  await bert.post("/api/user/email/reset", { email, password });
  const asked = await confirmation(stage, email);
  await stage.person().post("/api/user/email/decline", { token: asked.token });
  expect((await me(bert)).data).toMatchObject({ email: "bert@example.com", email_confirmed: true });
});

test("a mailbox is asked by every registration, once more for each account, and three times a day besides", async () => {
  await using stage = await openStage();
  const [ada, bert] = [await typist(stage, "ada", email), await member(stage, "bert")];
  for (let time = 0; time < 3; time += 1) expect((await confirm(ada, {})).status).toBe(200);
  const cleo = await typist(stage, "cleo", email);
  for (let time = 0; time < 2; time += 1) expect((await confirm(cleo, {})).status).toBe(200);
  expect((await confirm(cleo, {})).code).toBe("rate_limited");
  // whatever strangers asked, an account of its own is asked for
  const change = () => bert.post("/api/user/email/reset", { email, password });
  expect((await change()).status).toBe(200);
  expect((await change()).body.code).toBe("rate_limited");
  const asked = (await mailsTo(stage, email)).filter(
    ({ subject }) => subject === "Confirm your email address",
  );
  expect(asked.length).toBeLessThanOrEqual(8);
  const hers = asked.find(({ text }) => text?.includes("the account bert"))?.text ?? "";
  const code = /^\s*(\d{6})\s*$/m.exec(hers)?.[1];
  expect((await confirm(bert, { code })).data).toEqual({ email, confirmed: true });
});
