import { expect, test } from "bun:test";
import { join } from "node:path";
import { openCrashStage, waitUntil } from "../../crash/harness";
import { databaseAt, operateOn, type World } from "../../crash/processes";
import { Person } from "../../support/people/person";
import { type ChangeName, holdersAfter, holdersBefore } from "../../stories/roles/who-holds";

/** Where the process dies while everything happens at once; crash/orders checks the roles after all other deaths. */
const points = ["settle.stored@1", "outbox.claimed@2", "outbox.finished@6"];

/** Somebody who bought a key, or was given one for this many days. */
type Someone = { person: Person; user: string; id: string; key: string; session: string };
type Change = {
  given?: "a key" | "a key for a day";
  before?: (world: World, who: Someone) => Promise<unknown>;
  /** Done again once the shop is back, if its death cut this off. */
  does: (world: World, who: Someone) => Promise<unknown>;
};

const because = ["--reason", "a story"];
const connect = async (world: World, { person, user }: Someone) => {
  await person.prove().catch(async () => {
    // a shop that died after it had taken the password took the session with its answer
    await person.post("/api/auth/login", { username: user, password: "a long enough phrase" });
    await person.prove();
  });
  const { url } = (await person.get("/api/functions/get-discord-oauth-url")).body;
  // somebody who is connected already is not sent there again
  if (typeof url !== "string") return;
  const { redirect } = (await world.atDiscord("authorize", { url, user })) as { redirect: string };
  const { code, state } = Object.fromEntries(new URL(redirect).searchParams);
  await person.post("/api/discord/auth/callback", { code, state });
};
const disputed =
  (status: string) =>
  (world: World, { session }: Someone) =>
    world.atStripe("dispute", { session, status });
const refund = (world: World, { session }: Someone) => world.atStripe("refund", { session });

const changes: Record<ChangeName, Change> = {
  linking: { given: "a key", does: connect },
  disputing: { before: connect, does: disputed("needs_response") },
  winning: {
    async before(world, who) {
      await connect(world, who);
      await disputed("needs_response")(world, who);
    },
    does: disputed("won"),
  },
  refunded: { before: connect, does: refund },
  revoked: {
    given: "a key",
    before: connect,
    does: (world, { key }) => operateOn(world, "licences", "revoke", key, ...because),
  },
  // by itself, see `endsSoon`
  expiring: {
    given: "a key for a day",
    before: connect,
    does: async () => {},
  },
  unlinking: {
    given: "a key",
    before: connect,
    does: (_, { person }) => person.post("/api/discord/deauth"),
  },
  rich: {
    given: "a key for a day",
    async before(world, who) {
      // bought signed in, so it is added to the account
      const { session } = await buy(world, who.person);
      who.session = session;
      await connect(world, who);
    },
    does: refund,
  },
  returning: {
    given: "a key",
    before: connect,
    async does(world, { id }) {
      // the second time they have left already
      await world.atDiscord("leave", { user: id }).catch(() => {});
      await world.atDiscord("join", { user: id });
    },
  },
  moved: {
    given: "a key",
    before: connect,
    async does(world, { user }) {
      const to = await idOf(world, "mallory");
      await operateOn(world, "links", "move", user, "--to-user", to, ...because);
    },
  },
};

for (const point of points) {
  test(`a shop killed at ${point} while roles change in every way sets them right once it is back`, async () => {
    await using stage = await openCrashStage({ discord: true });
    const { world } = stage;
    await world.atDiscord("limits", { enabled: false });
    const first = await stage.start();
    const cast = await gather(world);
    await waitForHolders(world, holdersBefore);
    await first.kill();
    await endsSoon(world, "expiring");

    const cutOff: (() => Promise<unknown>)[] = [];
    await stage.dieAt(point, async () => {
      const acts = Object.entries(changes).map(async ([user, { does }]) => {
        const change = () => does(world, cast.get(user)!);
        await change().catch(() => cutOff.push(change));
      });
      await Promise.all(acts);
    });

    await stage.start();
    for (const change of cutOff) await change();
    await waitForHolders(world, holdersAfter);
  });
}

/** Gives everybody an account, a licence and a Discord user in the server. */
async function gather(world: World): Promise<Map<string, Someone>> {
  const count = (given: Change["given"]) =>
    Object.values(changes).filter((change) => change.given === given).length;
  const keys = {
    "a key": await handOut(world, count("a key")),
    "a key for a day": await handOut(world, count("a key for a day"), 1),
  };
  const cast = new Map<string, Someone>();
  for (const [user, change] of Object.entries(changes)) {
    const person = new Person(() => new URL(world.shopUrl));
    const handed = change.given && keys[change.given].pop();
    const { key, session } = handed ? { key: handed, session: "" } : await buy(world, person);
    expect((await person.register(key, user)).status).toBe(200);
    const { id } = (await world.atDiscord("members", { username: user })) as { id: string };
    const who = { person, user, id, key, session };
    await change.before?.(world, who);
    cast.set(user, who);
  }
  return cast;
}

async function buy(world: World, person: Person): Promise<{ session: string; key: string }> {
  const opened = await person.post("/api/stripe/create-checkout-session", { currency: "usd" });
  const session: string = opened.body.data.id;
  await world.atStripe("pay", { session, email: "buyer@example.com" });
  const paid = await person.get(`/api/stripe/verify-payment?session_id=${session}`);
  return { session, key: paid.body.data.license_key };
}

async function handOut(world: World, count: number, days?: number): Promise<string[]> {
  const length = days === undefined ? [] : ["--days", String(days)];
  const csv = await operateOn(world, "licences", "batch", String(count), ...length, ...because);
  return csv
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split(",")[0] ?? "");
}

/** Makes a licence end a moment from now, while no shop is running. */
async function endsSoon({ dataDir }: World, username: string) {
  const client = databaseAt(join(dataDir, "shop.db"));
  const { rowsAffected } = await client.execute({
    sql: "UPDATE licences SET expires_at = ? WHERE account_id = (SELECT id FROM accounts WHERE username = ?)",
    args: [Date.now() + 1_500, username],
  });
  client.close();
  expect(rowsAffected).toBe(1);
}

type Member = { id: string; username: string };
const membersOf = async (world: World) =>
  ((await world.atDiscord("members")) as { members: Member[] }).members;
const idOf = async (world: World, name: string) =>
  (await membersOf(world)).find(({ username }) => username === name)?.id ?? "";

/** Waits until exactly these hold the role. */
async function waitForHolders(world: World, names: string[]) {
  const wanted = names.toSorted().join(" ");
  await waitUntil(
    async () => {
      const { holders } = (await world.atDiscord("holders")) as { holders: string[] };
      const held = (await membersOf(world)).filter(({ id }) => holders.includes(id));
      return held
        .map(({ username }) => username)
        .toSorted()
        .join(" ");
    },
    (held) => held === wanted,
  );
}
