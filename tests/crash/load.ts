import { createHmac } from "node:crypto";
import { seededRandom, type Random } from "./random";
import { type Fate, openConnection, type Sent } from "./raw-client";
import { stripeKeys, type World } from "./processes";

/** All requests in one life of the shop, to compare with the database afterwards. */
export type LoadRecord = {
  fates: { what: string; fate: Fate }[];
  registered: { username: string; fate: Fate }[];
  redeemed: { by: Member; fate: Fate }[];
  opened: Fate[];
  delivered: { session: string; fate: Fate }[];
};

/** A signed-in customer, and how many licences the shop last reported for them. */
export type Member = { username: string; cookie: string; licences: number };

type Crowd = { world: World; dice: Random; keys: string[]; members: Member[]; names: () => string };

/**
 * Clients that keep using the shop until stopped, each on a kept-alive connection: they read, register, redeem, buy,
 * deliver Stripe's events, send slowly and download slowly.
 */
export function startLoad({ world, dice, keys, members, names }: Crowd) {
  const record: LoadRecord = { fates: [], registered: [], redeemed: [], opened: [], delivered: [] };
  let over = false;
  let lanes = 0;
  const json = { "content-type": "application/json" };

  const lane = (what: string, act: (ask: (sent: Sent) => Promise<Fate>, own: Random) => Promise<unknown>) => {
    lanes += 1;
    const own = seededRandom(dice.whole(1, 1_000_000_000));
    const line = openConnection(world.port, { "x-forwarded-for": `10.7.${lanes}.${own.whole(1, 250)}` });
    const ask = async (sent: Sent) => {
      const fate = await line.send(sent);
      record.fates.push({ what, fate });
      if (fate.how === "refused") over = true;
      return fate;
    };
    return (async () => {
      while (!over) await act(ask, own);
      line.close();
    })();
  };

  const readers = ["/api/version/logs", "/", "/api/version/filesizes", "/commands"].map((path) =>
    lane("read", async (ask, { whole }) => {
      await ask({ path });
      await Bun.sleep(whole(0, 15));
    }),
  );
  const idle = lane("read now and then", async (ask, { whole }) => {
    await ask({ path: "/api/health" });
    await Bun.sleep(whole(20, 300));
  });
  const own = lane("read one's own", async (ask, { pick, whole }) => {
    if (members.length > 0) {
      await ask({ path: "/api/user/me", headers: { cookie: pick(members).cookie } });
    }
    await Bun.sleep(whole(5, 30));
  });
  const registrars = [0, 0.5].map((slowly) =>
    lane("register", async (ask, { next, whole }) => {
      const [key, username] = [keys.pop(), names()];
      if (!key) throw new Error("there are no more keys");
      const body = JSON.stringify({
        username,
        email: `${username}@example.com`,
        password: "a long enough phrase",
        key,
        timezone: "UTC",
      });
      const bodyPauseMs = next() < slowly ? pauseOf(next, whole) : 0;
      const fate = await ask({
        method: "POST",
        path: "/api/auth/register",
        headers: json,
        body,
        bodyPauseMs,
      });
      record.registered.push({ username, fate });
      if (fate.status === 200) members.push({ username, cookie: fate.cookies.join("; "), licences: 1 });
      await Bun.sleep(whole(40, 120));
    }),
  );
  const redeemer = lane("redeem", async (ask, { pick, whole }) => {
    const key = members.length > 0 ? keys.pop() : undefined;
    if (key) {
      const by = pick(members);
      const body = JSON.stringify({ key, timezone: "UTC" });
      const headers = { ...json, cookie: by.cookie, "sec-fetch-site": "same-origin" };
      const fate = await ask({ method: "POST", path: "/api/licenses/redeem", headers, body });
      if (fate.status === 200) by.licences += 1;
      record.redeemed.push({ by, fate });
    }
    await Bun.sleep(whole(20, 60));
  });
  const buyers = [1, 2].map(() =>
    lane("buy", async (ask, { whole }) => {
      const path = "/api/stripe/create-checkout-session";
      const bought = await ask({ method: "POST", path, headers: json, body: '{"currency":"usd"}' });
      record.opened.push(bought);
      const session: unknown = bought.body?.data?.id;
      if (typeof session !== "string") return;
      await world.atStripe("pay", { session, email: `${session.slice(-12)}@example.com` });
      const body = event(session);
      const headers = { ...json, "stripe-signature": signatureOf(body) };
      const fate = await ask({ method: "POST", path: "/api/stripe/webhook", headers, body });
      record.delivered.push({ session, fate });
      await Bun.sleep(whole(10, 40));
    }),
  );
  const downloader = lane("download", async (ask, { next, whole }) => {
    await ask({ path: "/api/download/free", readForMs: pauseOf(next, whole) });
  });

  return {
    record,
    async leave() {
      over = true;
      await Promise.all([...readers, idle, own, ...registrars, redeemer, ...buyers, downloader]);
    },
  };
}

/** Mostly short, but now and then nearly as long as the shop waits. */
const pauseOf = (next: Random["next"], whole: Random["whole"]) =>
  next() < 0.02 ? whole(3_000, 7_000) : whole(30, 600);

const event = (session: string) =>
  JSON.stringify({
    id: `evt_${session}`,
    object: "event",
    type: "checkout.session.completed",
    created: Math.floor(Date.now() / 1000),
    data: { object: { id: session, object: "checkout.session" } },
  });

function signatureOf(body: string): string {
  const at = Math.floor(Date.now() / 1000);
  const v1 = createHmac("sha256", stripeKeys.webhookSecret).update(`${at}.${body}`).digest("hex");
  return `t=${at},v1=${v1}`;
}
