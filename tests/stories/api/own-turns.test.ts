import { connect, type Socket } from "node:net";
import { afterAll, expect, test } from "bun:test";
import { watchStatements } from "../../support/checks/statements";
import type { Person } from "../../support/people/person";
import { requestOf } from "../../support/people/walk";
import { operated } from "../../support/operator/run-operator";
import { openStage, type Stage } from "../../support/shop/stage";
import { callsOf } from "./calls";
import { unlimited } from "../../support/shop/unlimited";

const atOnce = 8;
/** Who calls, which every call looks up, and counting what it used up. */
const lookUp = /from "(sessions|devices|accounts)"|limit_counters|outbox|webhook_endpoints|server_keys/;

/** The statements of calls, by the turn of the event loop in which they ran. */
let turns: string[][] = [[]];
afterAll(watchStatements((sql) => void (lookUp.test(sql) || turns.at(-1)?.push(sql))));

test("one caller's concurrent calls are read one per turn, so that others are served in between", async () => {
  await using stage = await openStage({ env: unlimited });
  const ada = stage.person();
  await ada.register(await stage.handOut(), "ada");
  const { api_key: token } = (await ada.get("/api/user/me")).body.data;
  const { key } = await operated(stage, "keys", "add", "the forum", "--reason", "a story");
  await stage.shop.worker.drain();
  const walker = { known: { email: "ada@example.com" }, cookie: () => cookieOf(ada) };
  const reads = callsOf((await ada.get("/api/openapi.json")).body).filter(
    ({ method, path, security }) =>
      method === "GET" &&
      ["session", "token", "serverKey"].includes(security) &&
      // a file is streamed over many turns, as its own limit has it
      path !== "/api/user/export",
  );
  const looked: string[] = [];
  for (const call of reads) {
    const { path, init } = requestOf(call, { ...walker, token: call.security === "serverKey" ? key : token });
    const head = `GET ${path} HTTP/1.1\r\n${headersOf(init)}\r\n\r\n`;
    const one = await longest(stage, [head]);
    const most = await longest(
      stage,
      Array.from({ length: atOnce }, () => head),
    );
    if (one.length > 0) looked.push(path);
    // what else the shop does meanwhile is not counted
    const ofCalls = most.filter((sql) => one.includes(sql));
    expect([path, ofCalls.length <= one.length, ...ofCalls]).toEqual([path, true, ...ofCalls]);
  }
  for (const path of ["/api/payments", "/api/download", "/api/v1/orders"]) {
    expect(looked.join("\n")).toContain(path);
  }
  expect(looked.length).toBeGreaterThan(8);
});

test("a call that waits for its turn is refused if what it came with has ended meanwhile", async () => {
  await using stage = await openStage({ env: unlimited });
  const ada = stage.person();
  await ada.register(await stage.handOut(), "ada");
  const { api_key: token } = (await ada.get("/api/user/me")).body.data;
  const { key } = await operated(stage, "keys", "add", "the forum", "--reason", "a story");
  await stage.shop.worker.drain();
  for (const [path, header, end] of [
    ["/api/v1/customers?email=ada@example.com", `authorization: Bearer ${key}`, "DELETE FROM server_keys"],
    ["/api/app/v1/me", `authorization: Bearer ${token}`, "UPDATE accounts SET api_key_hash = NULL"],
    ["/api/user/me", `cookie: ${cookieOf(ada)}`, "DELETE FROM sessions"],
  ] as const) {
    const head = `GET ${path} HTTP/1.1\r\nhost: localhost\r\n${header}\r\n\r\n`;
    const sockets = await Promise.all(Array.from({ length: 100 }, () => opened(stage.url)));
    const answers = sockets.map((socket) => new Promise<Buffer>((resolve) => socket.once("data", resolve)));
    for (const socket of sockets) socket.write(head);
    await Promise.race(answers);
    await stage.ctx.store.client.execute(end);
    const statuses = (await Promise.all(answers)).map((answer) => String(answer).slice(9, 12));
    for (const socket of sockets) socket.destroy();
    expect([path, [...new Set(statuses)].toSorted(), statuses.at(-1)]).toEqual([path, ["200", "401"], "401"]);
  }
});

const cookieOf = ({ cookies }: Person) => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");

const headersOf = ({ headers }: RequestInit) =>
  [["host", "localhost"], ...Object.entries(headers as Record<string, string>)]
    .map(([name, value]) => `${name}: ${value}`)
    .join("\r\n");

/** The most statements that one turn ran, when these requests arrive in one. */
async function longest({ url }: Stage, requests: string[]): Promise<string[]> {
  const sockets = await Promise.all(requests.map(() => opened(url)));
  turns = [[]];
  let isOver = false;
  const turn = () => {
    turns.push([]);
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const answers = sockets.map((socket) => new Promise((resolve) => socket.once("data", resolve)));
  // the system holds them until the shop's next look at its connections
  for (const [at, socket] of sockets.entries()) socket.write(requests[at] ?? "");
  await Promise.all(answers);
  isOver = true;
  for (const socket of sockets) socket.destroy();
  return turns.reduce((most, statements) => (statements.length > most.length ? statements : most));
}

const opened = ({ hostname, port }: URL) =>
  new Promise<Socket>((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => resolve(socket)).once("error", reject);
  });
