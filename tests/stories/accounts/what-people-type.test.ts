import { expect, test } from "bun:test";
import { commit } from "@/core/database/commit";
import { newId } from "@/core/database/context";
import { issueNewWrites } from "@/domain/licences/keys/issue";
import { replaceRecoveryCodes } from "@/domain/accounts/credentials/mfa-recovery-codes";
import { operate, operated } from "../../support/operator/run-operator";
import { atDesk, colleague } from "../../support/people/desk";
import { openStage } from "../../support/shop/stage";
import { askForCode, codeAt, login, mailedCode, member, nextStep, turnOnMfa, password } from "./people";

const wide = (text: string) =>
  text.replace(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0));
const arabic = (text: string) => text.replace(/\d/g, (one) => "٠١٢٣٤٥٦٧٨٩"[Number(one)] ?? "");

/** What mails, chats, documents and keyboards make of a key. */
const pasted: ((key: string) => string)[] = [
  (key) => `"${key}"`,
  (key) => `License key: ${key}`,
  (key) => `\`${key}\``,
  (key) => [...key].join("\u200b"),
  (key) => key.replaceAll("-", "\u00ad-"),
  (key) => key.replaceAll("-", "\u2212"),
  (key) => wide(key),
  (key) => `„${arabic(key)}“, `,
  (key) => `**Key：** ${key.toLowerCase()}.`,
];

test("a key registers and redeems however it was pasted", async () => {
  await using stage = await openStage();
  for (const [at, paste] of pasted.entries()) {
    const person = stage.person();
    const key = paste(await stage.handOut(1));
    const registered = await person.register(key, `member${at}`);
    expect([key, registered.status]).toEqual([key, 200]);
    const other = paste(await stage.handOut(1));
    const redeemed = await person.post("/api/licenses/redeem", { key: other, timezone: "UTC" });
    expect([other, redeemed.status]).toEqual([other, 200]);
    // the same registration again, as after a lost answer
    expect((await stage.person().register(key, `member${at}`)).status).toBe(200);
  }
});

test("staff find a licence by its key however it was pasted, at the desk and on the command line", async () => {
  await using stage = await openStage();
  const sam = await atDesk(stage, "sam", "support");
  const key = await stage.handOut(1);
  for (const paste of pasted) {
    const typed = paste(key);
    const found = (await sam.post("search", { q: typed })).body.data.licences;
    expect([typed, found.length]).toEqual([typed, 1]);
    expect([typed, (await operated(stage, "licences", "show", typed)).id]).toEqual([typed, found[0].id]);
  }
  const masked = (await operated(stage, "licences", "show", key)).key;
  for (const typed of [masked, `"${masked}"`, `${wide(masked)}.`]) {
    expect([typed, (await sam.post("search", { q: typed })).body.data.licences.length]).toEqual([typed, 1]);
  }
});

test("a key with odd characters that another shop sold is found as it was pasted", async () => {
  await using stage = await openStage();
  const odd = ["Schlüssel+ab/12==", "_ABCDEF_123456_", "'quoted-key-1234'", "key: of two words"];
  for (const [at, key] of odd.entries()) {
    await commit(stage.ctx.store, issueNewWrites(stage.ctx, { id: newId(), key, level: "premium", days: 1 }));
    const typed = `  ${key.normalize("NFD")}\n`;
    expect([key, (await operated(stage, "licences", "show", typed)).status]).toEqual([key, "unredeemed"]);
    expect([key, (await stage.person().register(typed, `member${at}`)).status]).toEqual([key, 200]);
  }
});

test("an authenticator's code is read in any digits and with any dash, and none of them counts as wrong", async () => {
  await using stage = await openStage();
  const theo = await member(stage, "theo");
  const { secret } = await turnOnMfa(stage, theo);
  for (const type of [
    wide,
    arabic,
    (code: string) => `${code.slice(0, 3)}-${code.slice(3)}`,
    (code: string) => `${code.slice(0, 3)}\u2013${code.slice(3)}`,
    (code: string) => `${code.slice(0, 3)}\u00a0${code.slice(3)}\u200b`,
    (code: string) => `\u202a${code}\u202c`,
  ]) {
    await nextStep(stage);
    const typed = type(codeAt(stage, secret));
    const answer = await login(stage.person(), "theo", { security_code: typed });
    expect([typed, answer.status]).toEqual([typed, 200]);
  }
});

test("two-factor begins, and the desk opens, with a code in wide digits", async () => {
  await using stage = await openStage();
  const ada = await member(stage, "ada");
  const { secret } = (await ada.post("/api/user/mfa/reset", { password })).body.data;
  const enabled = await ada.post("/api/user/mfa/enable", { security_code: wide(codeAt(stage, secret)) });
  expect(enabled.status).toBe(200);
  const olga = await colleague(stage, "olga", "owner");
  const entered = await olga.post("enter", { security_code: wide(codeAt(stage, olga.secret)) });
  expect(entered.status).toBe(200);
  await nextStep(stage);
  const code = codeAt(stage, olga.secret);
  const confirmed = await olga.post("confirm", { security_code: `${code.slice(0, 3)}-${code.slice(3)}` });
  expect(confirmed.status).toBe(200);
});

test("a recovery code of two-factor is read with any dash, also one of digits alone", async () => {
  await using stage = await openStage();
  const theo = await member(stage, "theo");
  await turnOnMfa(stage, theo);
  const { id } = (await theo.get("/api/user/me")).body.data;
  const codes = ["12345-67890", "ABCDE-FGHJK", "10203-04050", "00000-00001"];
  await commit(stage.ctx.store, replaceRecoveryCodes(stage.ctx, id, codes));
  for (const typed of ["12345\u221267890", wide("abcde-fghjk"), arabic("1020304050"), "O0OO0\u200b0000l"]) {
    const answer = await login(stage.person(), "theo", { security_code: typed });
    expect([typed, answer.status]).toEqual([typed, 200]);
  }
});

test("a mailed code is read in any digits and with any dash, and each step of recovery reads it alike", async () => {
  await using stage = await openStage();
  await member(stage, "ada");
  const email = "ada@example.com";
  for (const type of [wide, arabic, (code: string) => `${code.slice(0, 3)}\u2212${code.slice(3)}`]) {
    const person = stage.person();
    await askForCode(person, email);
    const code = type(await mailedCode(stage, email));
    expect([code, (await person.post("/api/user/password/forgot", { email, code })).status]).toEqual([
      code,
      200,
    ]);
    const chosen = { email, code, password: "another long phrase" };
    expect([code, (await person.post("/api/user/password/forgot-reset", chosen)).status]).toEqual([
      code,
      200,
    ]);
  }
});

test("the command line and the desk read ids and numbers as they are pasted", async () => {
  await using stage = await openStage();
  const sam = await atDesk(stage, "sam", "support");
  await stage.buy("buyer@example.com");
  const [sale] = (await sam.get("payments")).body.data.rows;
  const dashed = sale.id.toUpperCase().replaceAll("-", "\u2011");
  for (const typed of [`${wide(sale.session_id)}\u200b`, dashed])
    expect([typed, (await operated(stage, "payments", "show", typed)).id]).toEqual([typed, sale.id]);
  expect((await sam.post("search", { q: dashed })).body.data.payments).toHaveLength(1);
  const ada = await member(stage, "ada");
  const { number } = (await ada.post("/api/tickets", { topic: "device", question: "Why?" })).body.data;
  for (const typed of [`#${number}`, wide(`#${number}`), arabic(String(number))]) {
    expect([typed, (await sam.post("search", { q: typed })).body.data.tickets.length]).toEqual([typed, 1]);
    expect([typed, (await operate(stage, "tickets", "show", typed)).code]).toEqual([typed, 0]);
  }
  const discordUser = "123456789012345678";
  await operated(stage, "blocks", "add", "discord", `${wide(discordUser)}\u200e`, "--reason", "a story");
  const [block] = await operated(stage, "blocks", "list");
  expect(block.label).toBe(discordUser);
  const removed = await operated(stage, "blocks", "remove", block.id.replaceAll("-", "–"), "--reason", "why");
  expect(removed.id).toBe(block.id);
});

test("a promotion code is read like every other code", async () => {
  await using stage = await openStage();
  const made = await operated(
    stage,
    "codes",
    "create",
    wide("SPRING-20"),
    "--percent",
    "20",
    "--reason",
    "why",
  );
  expect(made.code).toBe("SPRING-20");
  for (const code of ["SPRING\u221220", wide("SPRING-20"), " spring\u200b-20 "]) {
    const order = { currency: "usd", code };
    const begun = await stage.person().post("/api/stripe/create-checkout-session", order);
    expect([code, begun.status]).toEqual([code, 200]);
  }
});
