/**
 * How long an answer takes reveals nothing about who has an account. Accounts and unknown names are measured
 * alternately, each going first half of the time. The statistic is the Mann-Whitney U, as the share of pairs in
 * which the account's answer was slower: 50 % when timing reveals nothing. The bound is four and a half standard
 * errors, which chance exceeds once in 150,000 runs. Not writing anything for an unknown address gave 61 to 72 %,
 * not hashing anything for an unknown name 99 %.
 */
import { expect, test } from "bun:test";
import { newId } from "@/core/context";
import { accounts } from "@/domain/schema/accounts";
import { median } from "../../support/checks/percentile";
import type { Answer, Person } from "../../support/people/person";
import { hashAtFullCost } from "../../support/shop/password-cost";
import { openStage, type Stage } from "../../support/shop/stage";
import { askForCode, login, member } from "./people";

/** How many samples of what hashes a password, and of what is quick. */
const [few, many] = [40, 400];
const warmUps = 5;

/** The requests made for an existing account and for none; `name` is new each time. */
type Ask = (name: string) => Promise<Answer>;
type Times = { known: number[]; other: number[] };

/** Milliseconds for both. The names have equal lengths. */
async function measure(samples: number, ask: Ask): Promise<Times> {
  const times: Times = { known: [], other: [] };
  for (let number = 0; number < samples + warmUps; number += 1) {
    const order = number % 2 ? (["known", "other"] as const) : (["other", "known"] as const);
    for (const name of order) {
      const began = performance.now();
      await ask(`${name}${number}`);
      if (number >= warmUps) times[name].push(performance.now() - began);
    }
  }
  return times;
}

function judge(what: string, { known, other }: Times): void {
  const bound = 4.5 * Math.sqrt((2 * known.length + 1) / (12 * known.length ** 2));
  const slower = known.flatMap((one) => other.map((two) => (one > two ? 1 : one < two ? 0 : 0.5)));
  const share = slower.reduce<number>((sum, each) => sum + each, 0) / slower.length;
  const percent = (part: number) => (part * 100).toFixed(1);
  console.log(
    `${what}: median ${median(known).toFixed(2)} ms for an account, ${median(other).toFixed(2)} ms for none; ` +
      `the account's is slower in ${percent(share)} % of pairs (bound 50 ± ${percent(bound)})`,
  );
  expect(Math.abs(share - 0.5)).toBeLessThan(bound);
}

const emailOf = (name: string) => `${name}@example.com`;

/** `known0`, `known1`…: as many as are needed, because an address gets only so many codes. */
async function crowd(stage: Stage): Promise<void> {
  await member(stage, "first");
  const [first] = await stage.ctx.store.db.select().from(accounts);
  if (!first) throw new Error("nobody registered");
  const rows = Array.from({ length: many + warmUps }, (_, number) => {
    const [username, email] = [`known${number}`, emailOf(`known${number}`)];
    const names = { username, usernameKey: username, email, emailKey: email };
    return { ...first, id: newId(), ...names, apiKeyHash: null };
  });
  await stage.ctx.store.db.insert(accounts).values(rows);
}

test("signing in takes as long for an unknown account as for a known one", async () => {
  using _ = hashAtFullCost();
  await using stage = await openStage();
  await crowd(stage);
  const wrong = { password: "not the right one" };
  judge("login", await measure(few, (name) => login(stage.person(), name, wrong)));
});

test("requesting and trying a recovery code takes as long for an unknown account as for a known one", async () => {
  await using stage = await openStage();
  await crowd(stage);
  // delivering eight hundred emails would only add noise: no answer waits for one
  await stage.shop.worker.stop();
  const askers = new Map<string, Person>();
  const ask: Ask = (name) => {
    const asker = stage.person();
    askers.set(name, asker);
    return askForCode(asker, emailOf(name));
  };
  judge("forgot", await measure(many, ask));
  const verify: Ask = (name) =>
    (askers.get(name) ?? stage.person()).post("/api/user/password/forgot", {
      email: emailOf(name),
      code: "123456",
    });
  judge("recovery code", await measure(many, verify));
});

test("registering with a bad key answers the same, and as fast, for a taken name as for a free one", async () => {
  await using stage = await openStage();
  await crowd(stage);
  const register: Ask = (name) => stage.person().register("WISP-0000-0000-0000-0000", name);
  const [taken, free] = [await register("known1"), await register("other1")];
  expect(taken.body).toEqual(free.body);
  judge("register", await measure(many, register));
});
