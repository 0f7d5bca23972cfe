import { expect, test } from "bun:test";
import { connect } from "node:net";
import { second } from "@/contract/vocabulary/time";
import { operator } from "@/core/base/actor";
import { publish } from "@/domain/releases/publish";
import { connect as connectTo, customer } from "../../support/people/discord";
import { openDesk, openInDiscord } from "../../support/people/tickets";
import type { Person } from "../../support/people/person";
import type { Stage } from "../../support/shop/stage";

/** More than the buffers of both ends hold. */
const size = 26_000_000;

/** Longer than any other connection may say nothing. */
const pauseMilliseconds = 45 * second;

/** Asks for a path, takes nothing for a while, as a proxy whose client is slow, and then takes the rest; how many bytes came. */
async function takenAfterAPause(stage: Stage, person: Person, path: string, more = ""): Promise<number> {
  const cookie = [...person.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const socket = connect(Number(stage.url.port), stage.url.hostname);
  const ended = Promise.withResolvers<void>();
  let bytes = 0;
  socket.on("data", (piece) => (bytes += piece.length));
  socket.once("data", () => {
    socket.pause();
    setTimeout(() => socket.resume(), pauseMilliseconds);
  });
  socket.on("close", () => ended.resolve());
  socket.on("error", () => {});
  socket.write(
    `GET ${path} HTTP/1.1\r\nhost: ${stage.url.host}\r\ncookie: ${cookie}\r\n${more}connection: close\r\n\r\n`,
  );
  await ended.promise;
  return bytes;
}

/** A ticket of forty megabytes. */
async function longTicket(stage: Stage, person: Person): Promise<string> {
  await connectTo(stage, person, "ada");
  const { id } = await openInDiscord(stage, "ada");
  await stage.ctx.store.client.execute({
    sql: `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
      INSERT INTO ticket_messages (id, ticket_id, author, author_id, author_name, content, at)
      SELECT printf('9%017d', i), ?, 'member', '1', 'Ada', printf('%.*c', 2000, 'x'), i FROM n`,
    args: [id],
  });
  return id;
}

test("a reader that takes nothing for a while still gets all of a large answer, and an ordinary connection ends", async () => {
  await using stage = await openDesk();
  const { person } = await customer(stage, "ada");
  const id = await longTicket(stage, person);
  const build = {
    platform: "win_exe",
    name: "Wisp-Setup.exe",
    file: new Blob([new Uint8Array(size)]),
  } as const;
  const notes = { version: "1.0.0", channel: "latest", title: "First", content: "" } as const;
  const by = { actor: operator, reason: "a story" };
  await publish(stage.ctx, stage.shop.builds, { ...notes, builds: [build] }, by);
  const taken = (path: string, more?: string) => takenAfterAPause(stage, person, path, more);
  const idle = connect(Number(stage.url.port), stage.url.hostname);
  const began = performance.now();
  const idleFor = new Promise<number>((resolve) =>
    idle.on("close", () => resolve(performance.now() - began)),
  );
  idle.resume();
  idle.write(`GET /api/health HTTP/1.1\r\nhost: ${stage.url.host}\r\n\r\n`);
  const [whole, rest, parts, transcript] = await Promise.all([
    taken("/api/download"),
    taken("/api/download", "range: bytes=1000000-\r\n"),
    taken("/api/download", "range: bytes=0-12999999,13000001-25999999\r\n"),
    taken(`/api/tickets/${id}/transcript`),
  ]);
  expect(whole).toBeGreaterThan(size);
  expect(rest).toBeGreaterThan(size - 1_000_000);
  expect(parts).toBeGreaterThan(size - 1);
  expect(transcript).toBeGreaterThan(20_000 * 2_000);
  expect(await idleFor).toBeLessThan(pauseMilliseconds);
}, 120_000);
