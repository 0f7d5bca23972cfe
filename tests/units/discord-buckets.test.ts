import { expect, test } from "bun:test";
import type { BucketState } from "@/domain/community/bucket-memory";
import { bucketOf, createBuckets, UsedUp } from "@/gateways/discord/buckets";

const answer = (status: number, headers: Record<string, string>) => new Response(null, { status, headers });
const told = (left: number, seconds: number, limit = 10) =>
  answer(200, {
    "x-ratelimit-limit": String(limit),
    "x-ratelimit-remaining": String(left),
    "x-ratelimit-reset-after": String(seconds),
  });

/** Buckets at a clock that stands, of processes that die and leave their memory behind. */
function world() {
  const kept = new Map<string, BucketState>();
  const memory = {
    recall: async (bucket: string) => kept.get(bucket) ?? null,
    keep: async (bucket: string, _now: number, state: BucketState) => void kept.set(bucket, state),
  };
  const clock = { now: 0 };
  return { clock, kept, begin: () => createBuckets(memory, "bot", () => clock.now) };
}

const way = "PUT /guilds/1/members/:id";

test("nothing more is sent once Discord said that nothing is left, until the bucket is full again", async () => {
  const { clock, begin } = world();
  const buckets = begin();
  await buckets.during(way, async () => told(1, 10));
  await buckets.during(way, async () => told(0, 10));
  clock.now = 4_000;
  expect(buckets.during(way, async () => told(9, 10))).rejects.toMatchObject({ milliseconds: 6_000 });
  clock.now = 10_000;
  await buckets.during(way, async () => told(9, 10));
  expect(buckets.standing(way)).toEqual({ left: 9, milliseconds: 10_000 });
});

test("what is under way counts, whether or not it was answered", async () => {
  const buckets = world().begin();
  await buckets.during(way, async () => told(1, 10));
  const slow = Promise.withResolvers<Response>();
  const sent = buckets.during(way, () => slow.promise);
  expect(buckets.during(way, async () => told(0, 10))).rejects.toBeInstanceOf(UsedUp);
  slow.resolve(told(1, 10));
  await sent;
  await buckets.during(way, async () => told(0, 10));
});

test("an answer that was overtaken gives nothing back", async () => {
  const buckets = world().begin();
  const slow = Promise.withResolvers<Response>();
  const overtaken = buckets.during(way, () => slow.promise);
  await buckets.during(way, async () => told(0, 10));
  slow.resolve(told(5, 10));
  await overtaken;
  expect(buckets.standing(way).left).toBe(0);
});

test("a 429 is believed for as long as it says, and an answer that says nothing costs a call", async () => {
  const { clock, begin } = world();
  const buckets = begin();
  await buckets.during(way, async () => answer(429, { "retry-after": "3" }));
  clock.now = 2_900;
  expect(buckets.during(way, async () => told(9, 10))).rejects.toBeInstanceOf(UsedUp);
  clock.now = 3_000;
  await buckets.during(way, async () => told(2, 10));
  await buckets.during(way, async () => answer(502, {}));
  const lost = buckets.during(way, () => Promise.reject(new Error("cut off")));
  expect(lost).rejects.toThrow("cut off");
  await lost.catch(() => {});
  expect(buckets.during(way, async () => told(9, 10))).rejects.toBeInstanceOf(UsedUp);
});

test("a limit within a bucket's own holds back nothing else, and one over all of them everything", async () => {
  const buckets = world().begin();
  const renaming = answer(429, { "retry-after": "600", "x-ratelimit-remaining": "4" });
  await buckets.during(way, async () => renaming);
  await buckets.during(way, async () => answer(429, { "retry-after": "1", "x-ratelimit-global": "true" }));
  expect(buckets.during("GET /users/@me", async () => told(9, 10))).rejects.toBeInstanceOf(UsedUp);
});

test("fifty calls a second go out over all buckets, however full each is", async () => {
  const { clock, begin } = world();
  const buckets = begin();
  const ask = (at: number) => buckets.during(`GET /channels/${at}/messages`, async () => told(4, 1, 5));
  for (let at = 0; at < 50; at += 1) {
    clock.now = at * 10;
    await ask(at);
  }
  expect(ask(50)).rejects.toMatchObject({ milliseconds: 610 });
  clock.now = 1_100;
  await ask(50);
  expect(ask(51)).rejects.toMatchObject({ milliseconds: 10 });
});

test("who dies leaves behind what is left, also of a call that was not answered yet", async () => {
  const { clock, begin } = world();
  const first = begin();
  await first.during(way, async () => told(2, 10));
  void first.during(way, () => new Promise<Response>(() => {}));
  await Bun.sleep(0);

  const second = begin();
  await second.during(way, async () => told(0, 10));
  const third = begin();
  expect(third.during(way, async () => told(0, 10))).rejects.toBeInstanceOf(UsedUp);
  clock.now = 10_000;
  await begin().during(way, async () => told(9, 10));
});

test("a bucket that takes only a few is taken as begun by a call that nobody lived to see answered", async () => {
  const { clock, begin } = world();
  const unanswered = (buckets: ReturnType<typeof begin>) => {
    void buckets.during(way, () => new Promise<Response>(() => {}));
    return Bun.sleep(0);
  };
  const first = begin();
  await first.during(way, async () => told(1, 5, 2));
  await first.during(way, async () => answer(429, { "retry-after": "5" }));
  clock.now = 5_000;
  await unanswered(begin());
  clock.now = 6_000;
  await unanswered(begin());
  clock.now = 7_000;
  expect(begin().during(way, async () => told(0, 5, 2))).rejects.toMatchObject({ milliseconds: 4_000 });
});

test("what still waits when all is closed does not go out", async () => {
  const buckets = world().begin();
  await buckets.during(way, async () => told(9, 10));
  buckets.close();
  expect(buckets.during(way, async () => told(8, 10))).rejects.toMatchObject({ milliseconds: Infinity });
});

test("a bucket with much left is not written down", async () => {
  const { kept, begin } = world();
  await begin().during(way, async () => told(9, 10));
  expect(kept.size).toBe(0);
});

test("a bucket is the method and the path, of which only a channel's and a server's id count", () => {
  const [server, user, role] = ["1".repeat(18), "2".repeat(18), "3".repeat(18)];
  expect(bucketOf("PUT", `/guilds/${server}/members/${user}/roles/${role}`)).toBe(
    `PUT /guilds/${server}/members/:id/roles/:id`,
  );
  expect(bucketOf("POST", `/channels/${server}/messages`)).toBe(`POST /channels/${server}/messages`);
  expect(bucketOf("GET", "/gateway/bot")).toBe("GET /gateway/bot");
  // these hold a token
  expect(bucketOf("POST", `/interactions/${user}/aW50ZXJhY3Rpb24/callback`)).toBeNull();
  expect(bucketOf("PATCH", `/webhooks/${user}/aW50ZXJhY3Rpb24/messages/@original`)).toBeNull();
});
