import { expect, test } from "bun:test";
import { createBucket } from "@/gateways/discord/bucket";

const answer = (status: number, headers: Record<string, string>) => new Response(null, { status, headers });
const told = (left: number, seconds: number) =>
  answer(200, { "x-ratelimit-remaining": String(left), "x-ratelimit-reset-after": String(seconds) });

test("nothing more is sent once Discord said that nothing is left, until the bucket is full again", async () => {
  let now = 0;
  const bucket = createBucket(() => now);
  await bucket.during(async () => told(1, 10));
  expect(bucket.hasRoom()).toBe(true);
  await bucket.during(async () => told(0, 10));
  expect(bucket.hasRoom()).toBe(false);
  now = 10_000;
  expect(bucket.hasRoom()).toBe(true);
});

test("what is under way counts, whether or not it was answered", async () => {
  const bucket = createBucket(() => 0);
  await bucket.during(async () => told(1, 10));
  const slow = Promise.withResolvers<Response>();
  const sent = bucket.during(() => slow.promise);
  expect(bucket.hasRoom()).toBe(false);
  slow.resolve(told(1, 10));
  await sent;
  expect(bucket.hasRoom()).toBe(true);
});

test("an answer that was overtaken gives nothing back", async () => {
  const bucket = createBucket(() => 0);
  await bucket.during(async () => told(0, 10));
  await bucket.during(async () => told(5, 10));
  expect(bucket.hasRoom()).toBe(false);
});

test("a 429 is believed for as long as it says, and an answer without headers changes nothing", async () => {
  let now = 0;
  const bucket = createBucket(() => now);
  await bucket.during(async () => answer(429, { "retry-after": "3" }));
  now = 2_900;
  expect(bucket.hasRoom()).toBe(false);
  now = 3_000;
  await bucket.during(async () => answer(502, {}));
  expect(bucket.hasRoom()).toBe(true);
});
