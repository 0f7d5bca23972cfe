import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { minute } from "@/contract/vocabulary/time";
import { application, customer } from "@/core/base/actor";
import { tokenHash } from "@/core/secrets/secrets";
import { limitTable } from "@/contract/vocabulary/limits";
import { offerAuthenticator } from "@/domain/accounts/credentials/enable-mfa";
import { askForRecovery } from "@/domain/accounts/recovery/recovery-code";
import { takeSeat } from "@/domain/devices/take-seat";
import { redeem } from "@/domain/licences/changes/redeem";
import { accounts, sessions } from "@/domain/schema/accounts";
import type { Answer } from "../../support/people/person";
import { hashAtFullCost } from "../../support/shop/password-cost";
import { openStage, type Stage } from "../../support/shop/stage";
import {
  askForCode,
  codeAt,
  login,
  mailedCode,
  me,
  member,
  password,
  tally,
  turnOnMfa,
  wrongCode,
} from "./people";

const racers = 100;
const fresh = "another long phrase";

/** Makes a hundred concurrent requests. */
const race = (run: (number: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: racers }, (_, number) => run(number)));

const winners = (answers: Answer[]) => answers.filter(({ status }) => status === 200);

async function rowsOf(stage: Stage, sql: string) {
  return (await stage.ctx.store.client.execute(sql)).rows;
}

test("of a hundred concurrent guesses at a mailed code, at most three are checked", async () => {
  await using stage = await openStage();
  await member(stage, "rea");
  const browser = stage.person();
  await askForCode(browser, "rea@example.com");
  const code = await mailedCode(stage, "rea@example.com");
  const inSameBrowser = () => {
    const person = stage.person();
    person.cookies.set("recovery", browser.cookies.get("recovery") ?? "");
    return person;
  };
  const guesses = Array.from({ length: racers }, (_, at) =>
    String((Number(code) + 1 + at) % 1_000_000).padStart(6, "0"),
  );
  const answers = await race((number) =>
    inSameBrowser().post("/api/user/password/forgot", { email: "rea@example.com", code: guesses[number] }),
  );
  expect(tally(answers)).toEqual({ 400: racers });
  expect(await rowsOf(stage, "SELECT tries FROM recoveries")).toMatchObject([{ tries: 3 }]);
  const right = await inSameBrowser().post("/api/user/password/forgot", { email: "rea@example.com", code });
  expect(right.body.code).toBe("recovery_code_invalid");
});

test("requests under way when their account is erased are refused and leave nothing behind", async () => {
  await using stage = await openStage();
  const { ctx } = stage;
  const key = await stage.handOut();
  const actors = await Promise.all(
    ["redeeming", "binding", "setting-up", "recovering"].map(async (name) => {
      const person = stage.person();
      await person.register(await stage.handOut(30), name, password);
      const signedIn = await ctx.store.db
        .select({ session: sessions, account: accounts })
        .from(sessions)
        .innerJoin(accounts, eq(accounts.id, sessions.accountId))
        .where(eq(sessions.tokenHash, tokenHash(person.cookies.get("session") ?? "")));
      const [found] = signedIn;
      if (!found) throw new Error(`${name} is not signed in`);
      return {
        ...found,
        actor: customer(found.account.id),
        browser: { userAgent: "", address: "192.0.2.1" },
      };
    }),
  );
  const [redeeming, binding, settingUp, recovering] = actors;
  if (!redeeming || !binding || !settingUp || !recovering) throw new Error("there are four");
  const erase = ({ account }: { account: { id: string } }) =>
    ctx.store.client.execute({ sql: "DELETE FROM accounts WHERE id = ?", args: [account.id] });
  /** Between the reads and the commit, which waits for the next turn of the event loop. */
  const erasedMeanwhile = async <T>(who: { account: { id: string } }, begun: Promise<T>) => {
    for (let turn = 0; turn < 1_000; turn += 1) await Promise.resolve();
    await erase(who);
    return begun;
  };
  const redeemed = erasedMeanwhile(redeeming, redeem(ctx, redeeming.actor, key));
  expect(await redeemed.catch((error: unknown) => error)).toMatchObject({ code: "unauthenticated" });
  for (const who of [binding, settingUp]) await erase(who);
  const owner = { accountId: binding.account.id, seats: 1 };
  const machine = { hwid: "a-hardware-id", label: "Desk", os: "linux", version: "1.0.0" };
  const actor = application(owner.accountId, null);
  const bound = takeSeat(ctx, owner, machine, { actor, cause: "application" });
  expect(await bound.catch((error: unknown) => error)).toMatchObject({ code: "unauthenticated" });
  const offered = offerAuthenticator(ctx, limitTable({}), settingUp, { password });
  expect(await offered.catch((error: unknown) => error)).toMatchObject({ code: "unauthenticated" });
  const email = recovering.account.email ?? "";
  const asked = erasedMeanwhile(recovering, askForRecovery(ctx, email, undefined));
  expect(await asked.catch((error: unknown) => error)).toBeString();
  expect(await rowsOf(stage, "SELECT account_id FROM devices")).toEqual([]);
  expect((await stage.person().register(key, "somebody")).status).toBe(200);
});

test("of a hundred concurrent submissions of a verified recovery, one sets the password", async () => {
  await using stage = await openStage();
  await member(stage, "rea");
  const browser = stage.person();
  await askForCode(browser, "rea@example.com");
  const code = await mailedCode(stage, "rea@example.com");
  await browser.post("/api/user/password/forgot", { email: "rea@example.com", code });
  const recovery = browser.cookies.get("recovery") ?? "";
  const answers = await race((number) => {
    const racer = stage.person();
    racer.cookies.set("recovery", recovery);
    const body = { email: "rea@example.com", code, password: `${fresh} ${number}` };
    return racer.post("/api/user/password/forgot-reset", body);
  });
  expect(winners(answers)).toHaveLength(1);
  const winner = answers.findIndex(({ status }) => status === 200);
  expect((await login(stage.person(), "rea", { password: `${fresh} ${winner}` })).status).toBe(200);
});

test("of a hundred concurrent sign-ins with one authenticator code, one succeeds", async () => {
  await using stage = await openStage();
  const { secret } = await turnOnMfa(stage, await member(stage, "theo"));
  const security_code = codeAt(stage, secret);
  const answers = await race(() => login(stage.person(), "theo", { security_code }));
  expect(winners(answers)).toHaveLength(1);
  expect(await rowsOf(stage, "SELECT count(*) AS n FROM sessions")).toMatchObject([{ n: 2 }]);
});

test("of a hundred concurrent sign-ins with one recovery code, one succeeds", async () => {
  await using stage = await openStage();
  const { recoveryCodes } = await turnOnMfa(stage, await member(stage, "theo"));
  const answers = await race(() => login(stage.person(), "theo", { security_code: recoveryCodes[0] }));
  expect(winners(answers)).toHaveLength(1);
  const used = "SELECT count(*) AS n FROM mfa_recovery_codes WHERE used_at IS NOT NULL";
  expect(await rowsOf(stage, used)).toMatchObject([{ n: 1 }]);
});

test("of a hundred concurrent wrong authenticator codes, five are checked", async () => {
  await using stage = await openStage();
  const { secret } = await turnOnMfa(stage, await member(stage, "theo"));
  const security_code = wrongCode(stage, secret);
  const answers = await race(() => login(stage.person(), "theo", { security_code }));
  expect(tally(answers)).toEqual({ 401: 5, 429: racers - 5 });
});

test("two-factor is enabled once, with one set of recovery codes", async () => {
  await using stage = await openStage();
  const theo = await member(stage, "theo");
  const { secret } = (await theo.post("/api/user/mfa/reset", { password })).body.data;
  const security_code = codeAt(stage, secret);
  const answers = await race(() => theo.post("/api/user/mfa/enable", { security_code }));
  expect(winners(answers)).toHaveLength(1);
  expect(await rowsOf(stage, "SELECT count(*) AS n FROM mfa_recovery_codes")).toMatchObject([{ n: 10 }]);
  stage.advance(minute);
  const code = winners(answers)[0]?.body.data.recovery_codes[7];
  expect((await login(stage.person(), "theo", { security_code: code })).status).toBe(200);
});

test("a hundred concurrent token resets leave one token, the one that the winner received", async () => {
  await using stage = await openStage();
  const pia = await member(stage, "pia");
  const answers = await race(() => pia.post("/api/user/info/reset/token"));
  console.log(`token resets at once: ${JSON.stringify(tally(answers))}`);
  expect(winners(answers).length).toBeWithin(1, 6);
  const [account] = await rowsOf(stage, "SELECT api_key_hash FROM accounts");
  const alive = winners(answers).filter(
    ({ body }) => tokenHash(body.data.api_key) === account?.["api_key_hash"],
  );
  expect(alive).toHaveLength(1);
  expect((await me(pia)).data.api_key).toBe(alive[0]?.body.data.api_key);
});

test("of a hundred concurrent password changes, one succeeds", async () => {
  await using stage = await openStage();
  const pia = await member(stage, "pia");
  const changes = await race((number) =>
    pia.post("/api/user/password/reset", { old_password: password, new_password: `${fresh} ${number}` }),
  );
  expect(winners(changes)).toHaveLength(1);
});

test("an old password opens no session that outlives the change", async () => {
  // so that sign-ins are under way while the password changes
  using _ = hashAtFullCost();
  await using stage = await openStage();
  const pia = await member(stage, "pia");
  let changing = true;
  const changed = pia
    .post("/api/user/password/reset", { old_password: password, new_password: fresh })
    .finally(() => (changing = false));
  const logins: Promise<Answer>[] = [];
  // so that one is always being checked while the password changes
  while (changing && logins.length < racers) {
    logins.push(login(stage.person(), "pia"));
    await stage.person().get("/api/health");
  }
  expect((await changed).status).toBe(200);
  const answers = tally(await Promise.all(logins));
  console.log(`sign-ins beside a change of password: ${JSON.stringify(answers)}`);
  expect(await rowsOf(stage, "SELECT count(*) AS n FROM sessions")).toMatchObject([{ n: 1 }]);
});

test("an account is deleted once, and its sessions can no longer change anything", async () => {
  await using stage = await openStage();
  const pia = await member(stage, "pia");
  const answers = await race(() => pia.post("/api/user/delete", { password }));
  expect(winners(answers)).toHaveLength(1);
  await stage.shop.worker.drain();
  const subjects = stage.mail.messages("pia@example.com").map(({ subject }) => subject);
  expect(subjects.filter((one) => one.includes("deleted"))).toEqual(["Your account was deleted"]);
});
