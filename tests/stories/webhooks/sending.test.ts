import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Socket } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { createWebhookSender } from "@/gateways/webhooks/sender";
import { ownAuthority } from "../../support/network/authority";
import { drip, flood, receiver } from "../../support/network/receiver";
import { eventually } from "../../support/shop/stage";

const openssl = Bun.which("openssl");
const story = describe.skipIf(!openssl);

const body = '{"type":"order.paid"}';
const headers = { "content-type": "application/json", "webhook-id": "evt_1" };
const ok = (socket: Socket) => void socket.end("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nfine");

type Address = { address: string; family: 4 | 6 };
const v4 = (address: string): Address => ({ address, family: 4 });
const v6 = (address: string): Address => ({ address, family: 6 });

/** A resolver that answers each query with the next list, and counts the queries. */
function resolver(...answers: Address[][]) {
  const asked: string[] = [];
  const lookUp = (host: string) => {
    asked.push(host);
    return Promise.resolve(answers[Math.min(asked.length, answers.length) - 1] ?? []);
  };
  return { asked, lookUp };
}

/** Stands for the internet: only these addresses count as globally reachable. */
const reaching =
  (...reachable: string[]) =>
  (address: string) =>
    reachable.includes(address);

/** A sender to a receiver on 127.0.0.1 under the name hooks.example. */
const sender = (milliseconds?: number) =>
  createWebhookSender({
    ...resolver([v4("127.0.0.1")]),
    isReachable: reaching("127.0.0.1"),
    ...(milliseconds && { milliseconds }),
  });

const to = (port: number, path = "/") => ({ url: `https://hooks.example:${port}${path}`, headers, body });

story("sending a webhook (needs openssl)", () => {
  const trusted = getCACertificates("default");
  let authority: Awaited<ReturnType<typeof ownAuthority>>;
  let tls: { key: string; cert: string };

  beforeAll(async () => {
    authority = await ownAuthority();
    tls = await authority.certificate("DNS:hooks.example");
    setDefaultCACertificates([...trusted, await Bun.file(authority.file).text()]);
  });
  afterAll(async () => {
    setDefaultCACertificates(trusted);
    await authority[Symbol.asyncDispose]();
  });

  test("it is sent to the address that was checked, with TLS and Host by the name", async () => {
    await using there = await receiver({ answers: ok }, tls, "127.0.0.9");
    const names = resolver([v4("127.0.0.9")]);
    const sending = createWebhookSender({ ...names, isReachable: reaching("127.0.0.9") });
    const result = await sending.send(to(there.port, "/in?a=1"));
    expect(result).toEqual({
      kind: "answered",
      status: 200,
      body: "fine",
      retryAfter: null,
      milliseconds: expect.any(Number),
    });
    const [request] = there.requests;
    expect(request?.sni).toBe("hooks.example");
    expect(request?.text).toStartWith("POST /in?a=1 HTTP/1.1\r\n");
    expect(request?.text.toLowerCase()).toContain(`\r\nhost: hooks.example:${there.port}\r\n`);
    expect(request?.text).toContain("webhook-id: evt_1\r\n");
    expect(request?.text).toEndWith(`\r\n\r\n${body}`);
    expect(names.asked).toEqual(["hooks.example"]);
    await eventually(there.open, (open) => open === 0);
  });

  test("a name that answers differently the second time is asked once, and never reached there", async () => {
    await using inner = await receiver({ answers: ok }, tls, "127.0.0.1");
    await using there = await receiver({ answers: ok }, tls, "127.0.0.9", inner.port);
    const names = resolver([v4("127.0.0.9")], [v4("127.0.0.1")]);
    const sending = createWebhookSender({ ...names, isReachable: reaching("127.0.0.9") });
    expect(await sending.send(to(inner.port))).toMatchObject({ kind: "answered", status: 200 });
    expect(names.asked).toHaveLength(1);
    expect([there.requests.length, inner.connections()]).toEqual([1, 0]);
    // the next try asks again, and is refused
    expect(await sending.send(to(inner.port))).toMatchObject({
      kind: "not_sent",
      why: "inner_address",
      detail: "127.0.0.1",
    });
    expect([names.asked.length, there.requests.length, inner.connections()]).toEqual([2, 1, 0]);
  });

  test("a name with one private address among its addresses is not sent to", async () => {
    await using there = await receiver({ answers: ok }, tls);
    const mixed = [
      [v4("1.1.1.1"), v4("127.0.0.1")],
      [v6("::ffff:127.0.0.1"), v4("1.1.1.1")],
      [v4("1.1.1.1"), v6("fe80::1%lo")],
    ];
    for (const addresses of mixed) {
      const result = await createWebhookSender(resolver(addresses)).send(to(there.port));
      const inner = addresses.find(({ address }) => address !== "1.1.1.1");
      expect(result).toMatchObject({ kind: "not_sent", why: "inner_address", detail: inner?.address });
    }
    expect(there.connections()).toBe(0);
  });

  test("by itself it sends to no address of this machine, by name or number, and the real resolver is asked", async () => {
    await using there = await receiver({ answers: ok }, tls);
    const sending = createWebhookSender();
    const url = (host: string) => ({ ...to(there.port), url: `https://${host}:${there.port}/` });
    for (const host of ["127.0.0.1", "127.1", "0x7f.1", "2130706433", "[::ffff:127.0.0.1]", "localhost", "0"])
      expect(await sending.send(url(host))).toMatchObject({ kind: "not_sent", why: "url_inner_address" });
    expect(await sending.send({ ...to(there.port), url: `http://1.1.1.1:${there.port}/` })).toMatchObject({
      why: "url_not_https",
    });
    // valid as a name, so that only the look-up can refuse it
    const real = createWebhookSender({ isReachable: () => false });
    expect(await real.send(url("hooks..example"))).toMatchObject({ kind: "not_sent", why: "name_not_found" });
    expect(there.connections()).toBe(0);
  });

  test("the demo sends to this machine alone, wherever a name leads at the moment", async () => {
    await using there = await receiver({ answers: ok });
    const names = resolver(
      [v4("127.0.0.1")],
      [v4("10.0.0.1")],
      [v4("127.0.0.1"), v4("1.1.1.1")],
      [v6("fd00::1")],
    );
    const sending = createWebhookSender({ ...names, allowPrivate: "loopback" });
    const send = (host: string) => sending.send({ url: `http://${host}:${there.port}/in`, headers, body });
    expect(await send("hooks.localhost")).toMatchObject({ kind: "answered", status: 200 });
    for (const detail of ["10.0.0.1", "1.1.1.1", "fd00::1"])
      expect(await send("hooks.localhost")).toMatchObject({
        kind: "not_sent",
        why: "not_this_machine",
        detail,
      });
    expect(await send("hooks.example")).toMatchObject({ kind: "not_sent", why: "url_not_this_machine" });
    expect([names.asked.length, there.requests.length]).toEqual([4, 1]);
  });

  test("the next address is tried where one refuses; where none listens, it is refused", async () => {
    await using there = await receiver({ answers: ok }, tls, "127.0.0.1");
    const both = resolver([v6("::1"), v4("127.0.0.2"), v4("127.0.0.1")]);
    const sending = createWebhookSender({ ...both, isReachable: () => true });
    expect(await sending.send(to(there.port))).toMatchObject({ kind: "answered", status: 200 });
    const none = createWebhookSender({
      ...resolver([v4("127.0.0.2"), v4("127.0.0.3")]),
      isReachable: () => true,
    });
    expect(await none.send(to(there.port))).toMatchObject({ kind: "failed", why: "refused" });
  });

  test("a certificate of another name or an unknown authority is refused before anything is said", async () => {
    await using other = await receiver({ answers: ok }, await authority.certificate("DNS:other.example"));
    expect(await sender().send(to(other.port))).toMatchObject({
      kind: "failed",
      why: "certificate",
      detail: expect.stringContaining("hooks.example"),
    });
    await using strangers = await ownAuthority();
    await using there = await receiver({ answers: ok }, await strangers.certificate("DNS:hooks.example"));
    expect(await sender().send(to(there.port))).toMatchObject({ kind: "failed", why: "certificate" });
    expect([other.requests, there.requests]).toEqual([[], []]);
    // an address's certificate is checked against the address
    const numbered = createWebhookSender({ isReachable: reaching("127.0.0.1") });
    const url = (port: number) => ({ ...to(port), url: `https://127.0.0.1:${port}/` });
    await using named = await receiver({ answers: ok }, await authority.certificate("IP:127.0.0.1"));
    expect(await numbered.send(url(named.port))).toMatchObject({ kind: "answered", status: 200 });
    expect(await numbered.send(url(other.port))).toMatchObject({ kind: "failed", why: "certificate" });
  });

  test("a redirect is an answer, and is not followed", async () => {
    await using inner = await receiver({ answers: ok });
    for (const status of [301, 302, 307, 308]) {
      const location = `http://127.0.0.1:${inner.port}/`;
      const moved = `HTTP/1.1 ${status} Moved\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`;
      await using there = await receiver({ answers: (socket) => void socket.end(moved) }, tls);
      expect(await sender().send(to(there.port))).toMatchObject({ kind: "answered", status });
    }
    expect(inner.connections()).toBe(0);
  });

  const head = "HTTP/1.1 200 OK\r\n";
  const chunked = `${head}transfer-encoding: chunked\r\n\r\n`;
  const large = Buffer.alloc(65_536, "a");
  const says =
    (...pieces: string[]) =>
    (socket: Socket) =>
      pieces.forEach((piece) => socket.write(piece));
  const then =
    (start: string, endless: (socket: Socket) => void): ((socket: Socket) => void) =>
    (socket) => {
      socket.write(start);
      endless(socket);
    };
  const fine = (status: number, text: string) => ({ kind: "answered", status, body: text });
  const bad = (why: string, detail?: string) => ({ kind: "failed", why, ...(detail && { detail }) });
  const thousand = fine(200, "a".repeat(1_024));

  const answers: [name: string, does: (socket: Socket) => void, result: object][] = [
    ["an endless body", then(`${head}\r\n`, (socket) => flood(socket, large)), thousand],
    ["a body of 5 GB", then(`${head}content-length: 5000000000\r\n\r\n`, (s) => flood(s, large)), thousand],
    ["endless chunks", then(chunked, (socket) => flood(socket, `10\r\n${"a".repeat(16)}\r\n`)), thousand],
    ["chunks", says(chunked, "2\r\nfi\r\n2\r\nne\r\n0\r\n\r\n"), fine(200, "fine")],
    ["no body", says("HTTP/1.1 204 No Content\r\n\r\n"), fine(204, "")],
    [
      "interim answers first",
      says("HTTP/1.1 103 Early\r\n\r\n", `${head}content-length: 2\r\n\r\nok`),
      fine(200, "ok"),
    ],
    ["half a character at 1 kB", says(`${head}\r\n${"a".repeat(1_023)}ééé`), fine(200, "a".repeat(1_023))],
    ["control characters", says(`${head}content-length: 5\r\n\r\na\0\x1b[b`), fine(200, "a\ufffd\ufffd[b")],
    ["a body that ends early", (s) => void s.end(`${head}content-length: 9\r\n\r\nfi`), fine(200, "fi")],
    ["a body that stops", says(`${head}content-length: 9\r\n\r\nfi`), fine(200, "fi")],
    ["rubbish for chunks", says(chunked, "2\r\nok\r\nzz\r\n"), fine(200, "ok")],
    [
      "a chunk with endless extensions",
      then(`${chunked}1;`, (socket) => flood(socket, large)),
      fine(200, ""),
    ],
    [
      "endless trailers",
      then(`${chunked}2\r\nok\r\n0\r\n`, (s) => flood(s, "a: b\r\n".repeat(999))),
      fine(200, "ok"),
    ],
    [
      "another protocol",
      then("HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n", (s) => flood(s, large)),
      fine(101, ""),
    ],
    ["nothing", () => {}, bad("timed_out", "waiting for the answer")],
    ["its end", (socket) => void socket.end(), bad("closed", "waiting for the answer")],
    ["rubbish", says("hello\r\n\r\n"), bad("not_http")],
    ["endless rubbish", (socket) => flood(socket, large), bad("not_http")],
    [
      "headers one by one",
      then(head, (socket) => drip(socket, "a: b\r\n")),
      bad("timed_out", "waiting for the answer"),
    ],
    ["endless headers", then(head, (socket) => flood(socket, "a: b\r\n".repeat(999))), bad("not_http")],
    ["one endless header", then(`${head}a: `, (socket) => flood(socket, large)), bad("not_http")],
    ["a header of 60 kB", says(`${head}a: ${"b".repeat(60_000)}\r\n\r\n`), bad("not_http")],
    [
      "interim answers without end",
      (s) => flood(s, "HTTP/1.1 103 Early\r\n\r\n".repeat(999)),
      bad("not_http"),
    ],
  ];
  // one byte at a time is no time-out: its status arrived
  answers.push(["a slow body", then(`${head}\r\n`, (s) => drip(s, "a")), { kind: "answered", status: 200 }]);

  /** Receivers that only the deadline ends. */
  const waiting = new Set(["a body that stops", "nothing", "headers one by one", "a slow body"]);
  for (const [name, does, result] of answers)
    test(`an answer of ${name} ends the try and leaves no connection`, async () => {
      await using there = await receiver({ answers: does }, tls);
      const sent = await sender(waiting.has(name) ? 1_000 : undefined).send(to(there.port));
      expect(sent).toMatchObject(result);
      // the others end by themselves, long before the 15 s of a try
      expect([name, sent.milliseconds < 15_000]).toEqual([name, true]);
      expect(there.connections()).toBe(1);
      await eventually(there.open, (open) => open === 0);
    });

  test("a receiver that is silent before TLS, speaks none, or hangs up there has its own reason", async () => {
    const attempts: [(socket: Socket) => void, object][] = [
      [() => {}, bad("timed_out", "agreeing on TLS")],
      [(socket) => void socket.end("HTTP/1.1 400 Bad\r\n\r\n"), bad("tls")],
      [(socket) => void socket.destroy(), bad("closed")],
      [(socket) => flood(socket, large), bad("tls")],
    ];
    for (const [connects, result] of attempts) {
      await using there = await receiver({ connects });
      expect(await sender(1_000).send(to(there.port))).toMatchObject(result);
      await eventually(there.open, (open) => open === 0);
    }
  });

  test("a resolver that is silent, knows no such name or fails has its own reason", async () => {
    const by = (lookUp: () => Promise<Address[] | { why: "name_unanswered"; detail: string }>) =>
      createWebhookSender({ lookUp, milliseconds: 50 }).send(to(443));
    expect(await by(() => new Promise(() => {}))).toMatchObject({
      why: "name_unanswered",
      detail: "timed out",
    });
    const failing = { why: "name_unanswered", detail: "ESERVFAIL" } as const;
    expect(await by(() => Promise.resolve(failing))).toMatchObject({ kind: "not_sent", ...failing });
  });

  test("a try that is broken off ends at once, and leaves no connection", async () => {
    await using there = await receiver({}, tls);
    const stop = new AbortController();
    const sent = sender().send({ ...to(there.port), signal: stop.signal });
    await eventually(() => there.requests.length === 1);
    stop.abort();
    expect(await sent).toMatchObject(bad("stopped"));
    await eventually(there.open, (open) => open === 0);
    expect(await sender().send({ ...to(there.port), signal: stop.signal })).toMatchObject({ why: "stopped" });
    expect(there.requests).toHaveLength(1);
  });

  test("a process trusts NODE_EXTRA_CA_CERTS, uses no proxy, and always checks certificates", async () => {
    await using there = await receiver({ answers: ok }, tls);
    await using proxy = await receiver({ connects: (socket) => void socket.destroy() });
    const program = `
      import { createWebhookSender } from "@/gateways/webhooks/sender";
      const lookUp = async () => [{ address: "127.0.0.1", family: 4 }];
      const sending = createWebhookSender({ lookUp, isReachable: () => true });
      console.log(JSON.stringify(await sending.send(${JSON.stringify(to(there.port))})));`;
    const run = async (env: Record<string, string>) => {
      const child = Bun.spawn([process.execPath, "-e", program], {
        env: { ...process.env, ...env },
        stderr: "ignore",
      });
      return JSON.parse(await new Response(child.stdout).text()) as unknown;
    };
    const by = `http://127.0.0.1:${proxy.port}`;
    const proxies = Object.fromEntries(
      ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].flatMap((name) => [
        [name, by],
        [name.toLowerCase(), by],
      ]),
    );
    const trusting = { ...proxies, NODE_USE_ENV_PROXY: "1", NODE_EXTRA_CA_CERTS: authority.file };
    expect(await run(trusting)).toMatchObject({ kind: "answered", status: 200 });
    const careless = await run({ ...proxies, NODE_TLS_REJECT_UNAUTHORIZED: "0", NODE_EXTRA_CA_CERTS: "" });
    expect(careless).toMatchObject(bad("certificate"));
    expect([proxy.connections(), there.requests.length]).toEqual([0, 1]);
  });
});
