/** What an old link, a role that ended or a corrected order leaves open: nothing. */
import { expect, test } from "bun:test";
import { hour, minute } from "@/contract/vocabulary/time";
import { operator } from "@/core/base/actor";
import { rotateSecrets } from "@/domain/secrets/rotate";
import { operate, operated } from "../../support/operator/run-operator";
import { boughtAsGuest } from "../../support/people/buyer";
import { atDesk } from "../../support/people/desk";
import { bought } from "../../support/shop/bought";
import { openStage } from "../../support/shop/stage";
import {
  changeEmail,
  login,
  mailsTo,
  member,
  password,
  prove,
  recover,
  recoveryTo,
  turnOnMfa,
  typist,
  useLink,
} from "./people";

const reason = "a story";
const fresh = "another long phrase";

const keyIn = (text: string | null | undefined): string =>
  /WISP(-[0-9A-Z]{4}){4}/.exec(text ?? "")?.[0] ?? "";

test("a corrected address of a redeemed key recovers no account: its key was never mailed there", async () => {
  await using stage = await openStage();
  const [olga, sam] = [await atDesk(stage, "olga", "owner"), await atDesk(stage, "sam", "support")];
  const { id, key } = await bought(stage, "ada@example.com");
  await turnOnMfa(stage, await typist(stage, "ada", "ada@example.com", key));
  const wanted = { email: "thief@example.com", reason };
  const proposed = (await sam.post(`payments/${id}/correct-email`, wanted)).body.data;
  expect((await olga.post(`corrections/${proposed.id}/approve`, { reason })).status).toBe(200);
  expect((await recoveryTo(stage, "thief@example.com")).tokens).toEqual([]);
  expect((await recoveryTo(stage, "ada@example.com")).tokens).toHaveLength(1);
});

test("a mailbox recovers nobody by a key that staff replaced and gave away, until the new one is mailed there too", async () => {
  await using stage = await openStage();
  const rotate = async (key: string): Promise<string> =>
    (await operated(stage, "licences", "rotate", key, "--reason", reason)).key;
  const given = await rotate((await bought(stage, "given@example.com")).key);
  await typist(stage, "ada", "ada@example.com", given);
  expect((await recoveryTo(stage, "given@example.com")).tokens).toEqual([]);
  expect((await recoveryTo(stage, "ada@example.com")).tokens).toHaveLength(1);

  // a gift, whose key was replaced twice
  const session = await boughtAsGuest(stage, { gift: { email: "gil@example.com" } });
  const [gift] = (await mailsTo(stage, "gil@example.com")).map(({ text }) => keyIn(text));
  await typist(stage, "bert", "bert@example.com", await rotate(await rotate(gift ?? "")));
  expect((await recoveryTo(stage, "gil@example.com")).tokens).toEqual([]);
  // what is mailed again is in use, and masked
  await operated(stage, "payments", "resend", session, "--reason", reason);
  expect((await recoveryTo(stage, "gil@example.com")).tokens).toEqual([]);

  const again = await bought(stage, "again@example.com");
  const key = await rotate(again.key);
  stage.advance(minute);
  await operated(stage, "payments", "resend", again.sessionId, "--reason", reason);
  expect((await mailsTo(stage, "again@example.com")).map(({ text }) => keyIn(text))).toContain(key);
  await typist(stage, "cleo", "cleo@example.com", key);
  expect((await recoveryTo(stage, "again@example.com")).tokens).toHaveLength(1);

  // replaced while it is in use: the account registered with the key that was mailed
  const used = await bought(stage, "used@example.com");
  await typist(stage, "dora", "dora@example.com", used.key);
  await rotate(used.key);
  expect((await recoveryTo(stage, "used@example.com")).tokens).toHaveLength(1);
});

test("a key that was replaced and mailed because its order's address was corrected recovers by the right mailbox", async () => {
  await using stage = await openStage();
  const { sessionId, key } = await bought(stage, "typo@example.com");
  await operated(stage, "licences", "rotate", key, "--reason", reason);
  await operated(stage, "payments", "correct-email", sessionId, "right@example.com", "--reason", reason);
  const [mailed] = (await mailsTo(stage, "right@example.com")).map(({ text }) => keyIn(text));
  await typist(stage, "ada", "ada@example.com", mailed);
  expect((await recoveryTo(stage, "typo@example.com")).tokens).toEqual([]);
  expect((await recoveryTo(stage, "right@example.com")).tokens).toHaveLength(1);
});

test("a key that was given away and then replaced with all the shop's recovers by the mailbox that it is mailed to", async () => {
  await using stage = await openStage();
  const { key } = await bought(stage, "buyer@example.com");
  await operated(stage, "licences", "rotate", key, "--reason", reason);
  await stage.restart({ secrets: { secretKey: Buffer.alloc(32, 9), secretKeyOld: Buffer.alloc(32, 7) } });
  await rotateSecrets(stage.ctx, { actor: operator, reason });
  const mailed = (await mailsTo(stage, "buyer@example.com")).find(({ subject }) => subject.includes("new"));
  await typist(stage, "ada", "ada@example.com", keyIn(mailed?.text));
  expect((await recoveryTo(stage, "buyer@example.com")).tokens).toHaveLength(1);
});

test("a recovery or another password ends an account's links in every mail, also of those that offer several", async () => {
  await using stage = await openStage();
  const email = "shared@example.com";
  for (const name of ["ada", "bert"]) {
    await typist(stage, name, email);
    stage.advance(minute);
  }
  const cleo = await typist(stage, "cleo", email);
  const { tokens: first } = await recoveryTo(stage, email);
  const { tokens: second } = await recoveryTo(stage, email);
  const changed = { old_password: password, new_password: fresh, security_code: "" };
  expect((await cleo.post("/api/user/password/reset", changed)).status).toBe(200);
  expect(await useLink(stage, second[2], "a thief's own phrase")).toBe("link_invalid");
  expect(await useLink(stage, second[1])).toBe("recovered");
  expect(await useLink(stage, first[1], "a thief's own phrase")).toBe("link_invalid");
});

test("two-factor enabled within 72 hours before the email was requested ends, however late its link is used", async () => {
  await using stage = await openStage();
  await turnOnMfa(stage, await member(stage, "ada"));
  stage.advance(72 * hour - 10 * minute);
  const [token] = (await recoveryTo(stage, "ada@example.com")).tokens;
  stage.advance(30 * minute);
  expect(await useLink(stage, token)).toBe("recovered");
  expect((await login(stage.person(), "ada", { password: fresh })).status).toBe(200);
});

test("a link that was mailed before takes no address that is reserved for another account", async () => {
  await using stage = await openStage();
  const { key } = await bought(stage, "kay@example.com");
  await typist(stage, "thief", "thief@example.com", key);
  const [token] = (await recoveryTo(stage, "kay@example.com")).tokens;
  const kay = await typist(stage, "kay", "kay@example.com");
  await prove(stage, "kay");
  await changeEmail(stage, kay, "new@example.com");
  expect(await useLink(stage, token)).toBe("recovery_refused");
});

test("a command names nobody by an address that was only typed, and says who typed it", async () => {
  await using stage = await openStage();
  await typist(stage, "thief", "victim@example.com", await stage.handOut(30));
  const given = await operate(
    stage,
    "accounts",
    "grant",
    "victim@example.com",
    "premium",
    "--reason",
    reason,
  );
  expect(given.code).toBe(1);
  expect(given.err).toContain("Nobody has confirmed that address. Accounts that typed it: thief.");
});

test("an owner's invitations end with the owner's role, and an owner whose role sleeps is mailed nothing", async () => {
  await using stage = await openStage();
  const [olga, eve] = [await atDesk(stage, "olga", "owner"), await atDesk(stage, "eve", "owner")];
  const sam = await atDesk(stage, "sam", "support");
  await eve.post("staff", { name_or_email: "second@example.com", role: "owner", reason });
  const token = /#(\S+)/.exec((await mailsTo(stage, "second@example.com"))[0]?.text ?? "")?.[1] ?? "";
  await recover(stage, "eve@example.com");
  const thief = stage.person();
  await login(thief, "eve");
  await changeEmail(stage, thief, "thief@example.com");
  const joining = { token, username: "second", password, timezone: "UTC" };
  expect((await stage.person().post("/api/invitation", joining)).body.code).toBe("invitation_invalid");
  const { id } = await bought(stage, "ada@example.com");
  await sam.post(`payments/${id}/refund`, { reason });
  for (let time = 0; time < 2; time += 1) {
    await stage.shop.periodicJobs.run();
    await stage.shop.worker.drain();
  }
  const news = (all: { text?: string | null | undefined }[]) =>
    all.filter(({ text }) => text?.includes("you're an owner"));
  expect(news(await mailsTo(stage, "thief@example.com"))).toEqual([]);
  expect(news(await mailsTo(stage, "olga@example.com"))).not.toEqual([]);
  expect((await olga.get("staff")).body.data.invitations).toEqual([]);
});
