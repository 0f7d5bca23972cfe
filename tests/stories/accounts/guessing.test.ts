import { expect, test } from "bun:test";
import { hour, minute } from "@/contract/vocabulary/time";
import type { Answer, Person } from "../../support/people/person";
import { holdChecks } from "../../support/shop/password-cost";
import { eventually, openStage, type Stage } from "../../support/shop/stage";
import { login, member, password, tally } from "./people";

const wrong = "not this one";
const hex = (number: number) => number.toString(16);

/** A wrong password from an address, in an unknown browser. */
const guessFrom = (stage: Stage, address: string, username = "sam") =>
  stage.person().post("/api/auth/login", { username, password: wrong }, { "x-forwarded-for": address });

/** One of a million addresses that share no network. */
const anywhere = (number: number) => `2001:${hex(number + 1)}::1`;

/** Runs this many in concurrent batches, one batch after another. */
async function inBatches(count: number, run: (number: number) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  while (answers.length < count) {
    const batch = Array.from(
      { length: Math.min(50, count - answers.length) },
      (_, at) => answers.length + at,
    );
    answers.push(...(await Promise.all(batch.map(run))));
  }
  return answers;
}

const refusedGuesses = async (stage: Stage) =>
  (await stage.ctx.store.client.execute("SELECT action, detail FROM audit_log ORDER BY id")).rows.filter(
    ({ action }) => action === "account.guesses_refused",
  );

const noted = (found: unknown[]) => found.length > 0;

test("a thousand guesses from a thousand addresses of one /56 are refused, and the owner's known browser is not", async () => {
  await using stage = await openStage();
  const sam = await member(stage, "sam");
  const { id } = (await sam.get("/api/user/me")).body.data;
  await sam.post("/api/auth/logout");
  let guessing = true;
  const guesses = inBatches(1_000, (number) =>
    guessFrom(stage, `2001:db8:0:${hex(number % 256)}::${hex(number + 1)}`),
  ).finally(() => (guessing = false));
  for (let time = 0; time < 4; time += 1) {
    expect(guessing).toBeTrue();
    expect((await login(sam, "sam")).status).toBe(200);
  }
  const { 401: looked = 0, 429: refused = 0, ...others } = tally(await guesses);
  // twenty a minute; a slow machine may need more than one
  expect(looked).toBeLessThanOrEqual(60);
  expect(looked + refused).toBe(1_000);
  expect(others).toEqual({});
  expect((await login(sam, "sam")).status).toBe(200);

  await eventually(() => refusedGuesses(stage), noted);
  const events = (await sam.get("/api/user/security-events")).body.data;
  const refusals = events.filter(({ code }: { code: string }) => code === "account.guesses_refused");
  expect(refusals).toMatchObject([
    { text: "Sign-ins from new devices were blocked for a while after too many wrong passwords" },
  ]);
  const lines = stage.lines.map((line) => JSON.parse(line));
  const [{ source }, ...more] = lines.filter(({ level, account }) => level === "warn" && account === id);
  expect(more).toEqual([]);
  expect(source).toMatch(/^[\w-]{16}$/);
  const wrong = lines.filter(({ message }) => message === "wrong password");
  expect(wrong).toHaveLength(looked);
  expect([...new Set(wrong.map((line) => line.source))]).toEqual([source]);
  expect((await refusedGuesses(stage))[0]?.["detail"]).toContain(source);
  expect(stage.lines.join("\n")).not.toContain("2001:db8");
});

test("a refused sign-in is answered before anything is written about its account", async () => {
  await using stage = await openStage();
  await member(stage, "sam");
  for (let time = 0; time < 5; time += 1) await guessFrom(stage, "192.0.2.1");
  expect((await guessFrom(stage, "192.0.2.1")).status).toBe(429);
  expect(await refusedGuesses(stage)).toEqual([]);
  expect(await eventually(() => refusedGuesses(stage), noted)).toHaveLength(1);
});

test("a /48 has four times the attempts of a /56, which has four times those of a /64", async () => {
  await using stage = await openStage();
  const most = async (networks: string[]) => {
    const answers = await inBatches(networks.length * 11, (number) => {
      const headers = { "x-forwarded-for": networks[number % networks.length] ?? "" };
      return stage.person().post("/api/user/email/decline", { token: "made-up" }, headers);
    });
    return answers.filter(({ status }) => status !== 429).length;
  };
  expect(await most(["2001:db8:1:1::1"])).toBe(10);
  expect(await most(Array.from({ length: 6 }, (_, at) => `2001:db8:2:${hex(at)}::1`))).toBe(40);
  expect(await most(Array.from({ length: 24 }, (_, at) => `2001:db8:3:${hex(at * 64)}::1`))).toBe(160);
});

test("strangers may fail a hundred sign-ins an hour to an account, by name and email and from all addresses together", async () => {
  await using stage = await openStage();
  const sam = await member(stage, "sam");
  await member(stage, "eve");
  await sam.post("/api/auth/logout");
  // a right password does not count as a failure
  for (let time = 0; time < 5; time += 1) {
    expect((await login(stage.person(), "sam")).status).toBe(200);
  }
  const names = ["sam", "SAM ", "sam@example.com"];
  const answers = await inBatches(150, (number) =>
    guessFrom(stage, anywhere(number), names[number % names.length]),
  );
  expect(tally(answers)).toEqual({ 401: 100, 429: 50 });
  expect(await eventually(() => refusedGuesses(stage), noted)).toHaveLength(1);
  expect((await login(stage.person(), "sam")).body.code).toBe("rate_limited");
  expect((await login(sam, "sam")).status).toBe(200);
  expect((await login(stage.person(), "eve")).status).toBe(200);

  const nobodys = await inBatches(150, (number) => guessFrom(stage, anywhere(1_000 + number), "nobody"));
  expect(tally(nobodys)).toEqual({ 401: 100, 429: 50 });
  stage.advance(hour);
  expect((await login(stage.person(), "sam")).status).toBe(200);
});

test("one address guessing over many connections keeps nobody else waiting", async () => {
  await using stage = await openStage();
  using checks = holdChecks(wrong);
  const flood = Array.from({ length: 260 }, () => guessFrom(stage, "192.0.2.1"));
  const others = Array.from({ length: 40 }, (_, number) =>
    guessFrom(stage, anywhere(number), `nobody${number}`),
  );
  // what is over the limit is refused before any password has been checked
  let refused = 0;
  await new Promise<void>((resolve) => {
    for (const guess of flood) {
      void guess.then(({ status }) => {
        if (status === 429 && (refused += 1) === 255) resolve();
      });
    }
  });
  checks.release();
  expect(tally(await Promise.all(others))).toEqual({ 401: 40 });
  expect(tally(await Promise.all(flood))).toEqual({ 401: 5, 429: 255 });
});

test("when strangers fill the queue, further ones have to wait and known browsers still get in", async () => {
  await using stage = await openStage();
  const sam = await member(stage, "sam");
  const pia = await member(stage, "pia");
  const key = await stage.handOut();
  await sam.post("/api/auth/logout");
  using checks = holdChecks(wrong);
  const flood = Array.from({ length: 300 }, (_, number) =>
    guessFrom(stage, anywhere(number), `nobody${number}`),
  );
  await Promise.race(flood);
  const change = { old_password: password, new_password: "another long phrase" };
  const answers = await Promise.all([
    login(sam, "sam"),
    pia.post("/api/user/password/reset", change),
    stage.person().register(key, "ada"),
  ]);
  expect(tally(answers)).toEqual({ 200: 3 });
  checks.release();
  const guesses = await Promise.all(flood);
  // two were being checked and two hundred waited
  expect(tally(guesses)).toEqual({ 401: 202, 503: 98 });
  for (const { status, body } of guesses) {
    expect(body.code).toBe(status === 503 ? "busy" : "credentials_invalid");
  }
});

/** Browsers that signed in to the account before, each at an address of its own. */
async function knownBrowsers(stage: Stage, username: string, count: number): Promise<Person[]> {
  const browsers = Array.from({ length: count }, () => stage.person());
  for (const browser of browsers) expect((await login(browser, username)).status).toBe(200);
  return browsers;
}

test("all known browsers of an account share thirty attempts a minute", async () => {
  await using stage = await openStage();
  const eve = await member(stage, "eve");
  const sam = await member(stage, "sam");
  const browsers = await knownBrowsers(stage, "eve", 31);
  stage.advance(minute);
  const guesses = await Promise.all(browsers.map((browser) => login(browser, "eve", { password: wrong })));
  expect(tally(guesses)).toEqual({ 401: 30, 429: 1 });
  const again = { password: wrong };
  expect((await eve.post("/api/user/reauthenticate", again)).status).toBe(429);
  expect((await login(eve, "eve")).status).toBe(429);
  // neither strangers nor browsers of other accounts share that count
  expect((await login(stage.person(), "eve")).status).toBe(200);
  expect((await login(sam, "sam")).status).toBe(200);
  stage.advance(minute);
  expect((await login(eve, "eve")).status).toBe(200);
});

test("attempts from known browsers count towards their address like any other", async () => {
  await using stage = await openStage();
  await member(stage, "eve");
  const browsers = await knownBrowsers(stage, "eve", 12);
  stage.advance(minute);
  const here = { "x-forwarded-for": "192.0.2.7" };
  const typed = { username: "eve", password: wrong };
  const guesses = await Promise.all(browsers.map((browser) => browser.post("/api/auth/login", typed, here)));
  expect(tally(guesses)).toEqual({ 401: 10, 429: 2 });
  expect((await guessFrom(stage, "192.0.2.7", "nobody")).status).toBe(429);
});

test("known browsers queue only behind attempts at their own account", async () => {
  await using stage = await openStage();
  await member(stage, "eve");
  const sam = await member(stage, "sam");
  const pia = await member(stage, "pia");
  const key = await stage.handOut();
  await sam.post("/api/auth/logout");
  const browsers = await knownBrowsers(stage, "eve", 30);
  stage.advance(minute);
  using checks = holdChecks(wrong);
  const flood = browsers.map((browser) => login(browser, "eve", { password: wrong }));
  const more = browsers.slice(0, 3).map((browser) => login(browser, "eve"));
  await Promise.race([...more, ...flood]);
  const change = { old_password: password, new_password: "another long phrase" };
  const answers = await Promise.all([
    login(sam, "sam"),
    pia.post("/api/user/password/reset", change),
    stage.person().register(key, "ada"),
  ]);
  expect(tally(answers)).toEqual({ 200: 3 });
  checks.release();
  expect(tally(await Promise.all([...flood, ...more]))).toEqual({ 401: 30, 429: 3 });
});
