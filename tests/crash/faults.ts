import type { Random } from "./random";
import type { World } from "./processes";

const clearWebhooks = { drop: 0, repeat: 1, shuffleMs: 0 };

/** Faults of Discord's HTTP API. The last one takes effect but loses the answer. */
const failures = [
  { fail: 500 },
  { fail: 503 },
  { fail: 429, scope: "user", retryAfter: 0.3 },
  { fail: 429, scope: "global", retryAfter: 0.3 },
  { fail: "drop", when: "before" },
  { fail: "drop", when: "after" },
] as const;

/** What goes wrong around the shop besides its own deaths. Each fault is injected at the start of a life. */
export const worldFaults = {
  calm: async () => {},
  "webhooks repeated": (world, { whole }) => world.atStripe("faults", { webhooks: { repeat: whole(1, 20) } }),
  "webhooks reordered": (world, { whole }) =>
    world.atStripe("faults", { webhooks: { shuffleMs: whole(50, 400), repeat: whole(1, 3) } }),
  "webhooks dropped": (world, { whole }) =>
    world.atStripe("faults", { webhooks: { drop: whole(1, 20), shuffleMs: 100 } }),
  "webhooks all lost": (world) => world.atStripe("faults", { webhooks: { drop: "all" } }),
  "Stripe away": async (world, { whole }) => {
    await world.atStripe("faults", { api: { away: true } });
    setTimeout(() => void world.atStripe("faults", { api: { away: false } }).catch(() => {}), whole(50, 500));
  },
  "SMTP away": (world, { pick }) =>
    world.atMail({ mode: pick(["refuse-connection", "reject-4xx", "drop-before-250"]) }),
  "Discord away": (world) => world.atDiscord("faults", { api: { away: true }, gateway: { away: true } }),
  "Discord failing": (world, { pick, whole }) =>
    world.atDiscord("faults", { api: { next: [{ ...pick(failures), count: whole(5, 40) }] } }),
  "gateway broken": (world, { pick }) =>
    world.atDiscord("faults", { gateway: { [pick(["away", "mute", "garbage"])]: true } }),
} satisfies Record<string, (world: World, random: Random) => Promise<unknown>>;

export type Fault = keyof typeof worldFaults;

export async function clearFaults(world: World): Promise<void> {
  await Promise.all([
    world.atStripe("faults", { api: { away: false, latencyMs: 0, next: [] }, webhooks: clearWebhooks }),
    world.atMail({ mode: "accept" }),
    world.atDiscord("faults", {
      api: { away: false, latencyMs: 0, next: [] },
      gateway: { away: false, mute: false, garbage: false },
    }),
  ]);
}
