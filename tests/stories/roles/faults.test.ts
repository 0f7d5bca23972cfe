import { operator } from "@/core/base/actor";
import { expect, test } from "bun:test";
import { day, minute } from "@/contract/vocabulary/time";
import { moveLink } from "@/domain/discord/change-link";
import { changeLicence } from "@/domain/licences/changes/change";
import { findLicence } from "@/domain/licences/keys/find";
import {
  authorize,
  connect,
  holders,
  moveClockUntil,
  waitForBot,
  waitForHolders,
} from "../../support/people/discord";
import { freePort } from "../../support/shop/free-port";
import type { Person } from "../../support/people/person";
import { eventually, openStage, type Stage } from "../../support/shop/stage";
import { type ChangeName, holdersAfter, holdersBefore } from "./who-holds";

/** Discord's limits end by the real clock, and here the stage's runs far ahead of it. */
const discord = { limits: { enabled: false } };

const by = { actor: operator, reason: "a story" };

type Someone = { person: Person; user: string; session: string; key: string };
type Change = {
  /** What happens to the customer before the fault. */
  before?: (stage: Stage, who: Someone) => Promise<unknown>;
  /** What happens during the fault; resolves to what is left to do afterwards. */
  does: (stage: Stage, who: Someone) => Promise<void | (() => Promise<unknown>)>;
};

const connected = (stage: Stage, { person, user }: Someone) => connect(stage, person, user);
const disputed =
  (status: string) =>
  (stage: Stage, { session }: Someone) =>
    stage.atStripe("dispute", { session, status });
const idOf = async (stage: Stage, name: string): Promise<string> =>
  (await stage.atDiscord("members")).members.find((one: { username: string }) => one.username === name).id;

const changes: Record<ChangeName, Change> = {
  linking: {
    async does(stage, { person, user }) {
      const back = await authorize(stage, person, user);
      const callback = () => person.post("/api/discord/auth/callback", back);
      await moveClockUntil(stage, callback());
      // while Discord is down the browser returns with the same code again
      return callback;
    },
  },
  disputing: { before: connected, does: disputed("needs_response") },
  winning: {
    async before(stage, who) {
      await connected(stage, who);
      await disputed("needs_response")(stage, who);
    },
    does: disputed("won"),
  },
  refunded: {
    before: connected,
    does: (stage, { session }) => stage.atStripe("refund", { session }),
  },
  revoked: {
    before: connected,
    async does(stage, { key }) {
      const licence = await findLicence(stage.ctx, key);
      await changeLicence(stage.ctx, licence!, "revoke", by);
    },
  },
  expiring: { before: connected, does: async () => {} },
  unlinking: {
    before: connected,
    async does(_stage, { person }) {
      expect((await person.post("/api/discord/deauth")).status).toBe(200);
    },
  },
  rich: {
    before: connected,
    does: (stage, { session }) => stage.atStripe("refund", { session }),
  },
  returning: {
    before: connected,
    async does(stage, { user }) {
      await stage.atDiscord("leave", { user });
      await stage.atDiscord("join", { user });
    },
  },
  moved: {
    before: connected,
    async does(stage, { person }) {
      const { id: accountId } = (await person.get("/api/user/me")).body.data;
      const discordUserId = await idOf(stage, "mallory");
      await moveLink(stage.ctx, { accountId, discordUserId, displayName: "Mallory", ...by });
    },
  },
};

type Failure = {
  begins: (stage: Stage) => Promise<unknown>;
  ends: (stage: Stage) => Promise<unknown>;
};

const faults = (api: object, gateway: object) => (stage: Stage) =>
  stage.atDiscord("faults", { api, gateway });
const away = faults({ away: true }, { away: true });
const back = faults({ away: false, next: [] }, { away: false });
const next = (fault: object) => faults({ next: [{ count: 60, path: "/members/", ...fault }] }, {});

const failures: Record<string, Failure> = {
  "Discord is away": { begins: away, ends: back },
  "Discord is away and the shop starts anew in between": {
    begins: away,
    async ends(stage) {
      await stage.restart();
      await back(stage);
    },
  },
  "Discord answers 429": { begins: next({ fail: 429, retryAfter: 0.1 }), ends: back },
  "Discord answers 503": { begins: next({ fail: 503 }), ends: back },
};

for (const [name, failure] of Object.entries(failures)) {
  test(`when ${name.replace("answers", "only answers")}, every role is right afterwards`, async () => {
    // kept across a restart, because Discord sends browsers back to it
    const env = { PORT: String(await freePort()) };
    await using stage = await openStage({ discord, env });
    await waitForBot(stage);
    const cast = new Map<string, Someone>();
    for (const [user, { before }] of Object.entries(changes)) {
      const who = await someone(stage, user);
      cast.set(user, who);
      await before?.(stage, who);
    }
    await stage.stripe.flush();
    await advanceUntilHeld(stage, holdersBefore);
    // so late that the one-day licence expires during what happens next
    stage.advance(day - 5 * minute);

    await failure.begins(stage);
    stage.advance(6 * minute);
    const later: (() => Promise<unknown>)[] = [];
    for (const [user, { does }] of Object.entries(changes)) {
      const left = await does(stage, cast.get(user)!);
      if (typeof left === "function") later.push(left);
    }
    await stage.stripe.flush();
    await failure.ends(stage);
    for (const change of later) await change();
    await advanceUntilHeld(stage, holdersAfter);
  });
}

/** A customer; `expiring` has a one-day licence instead, `rich` a one-month licence as well. */
async function someone(stage: Stage, user: string): Promise<Someone> {
  const person = stage.person();
  const days = { expiring: 1, rich: 30 }[user];
  const timed = days === undefined ? null : await stage.handOut(days);
  const bought = user === "expiring" ? null : await stage.buy();
  const [first = "", second] = [timed, bought?.key].filter((key) => typeof key === "string");
  expect((await person.register(first, user)).status).toBe(200);
  if (second) {
    const redeemed = await person.post("/api/licenses/redeem", { key: second, timezone: "UTC" });
    expect(redeemed.status).toBe(200);
  }
  await stage.atDiscord("members", { username: user });
  return { person, user, session: bought?.sessionId ?? "", key: bought?.key ?? first };
}

/** Moves the clock until exactly these hold the role. */
async function advanceUntilHeld(stage: Stage, names: string[]) {
  const wanted = names.toSorted().join(" ");
  await eventually(async () => {
    const held = (await holders(stage)).join(" ");
    if (held !== wanted) stage.advance(2_000);
    return held === wanted;
  });
  await waitForHolders(stage, names);
}
