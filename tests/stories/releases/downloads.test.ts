import { operator } from "@/core/base/actor";
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtemp, open, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  downloads,
  freeDownloads,
  paidPlatforms,
  type Platform,
  platforms,
} from "@/contract/vocabulary/builds";
import { day, hour } from "@/contract/vocabulary/time";
import { publish } from "@/domain/releases/publish";
import type { Person } from "../../support/people/person";
import { bytesOf, release } from "../../support/shop/publish-release";
import { openStage, type Stage } from "../../support/shop/stage";
import { testNeeding } from "../../support/checks/test-needing";

const scratch = await mkdtemp(join(tmpdir(), "latchkey-downloads-"));
afterAll(() => rm(scratch, { recursive: true, force: true }));

const paths = { ...downloads, ...freeDownloads };
const isFree = (platform: Platform) => platform in freeDownloads;
const navigation = { "sec-fetch-mode": "navigate", "sec-fetch-site": "none", accept: "text/html" };

/** A visitor of each kind. */
async function everybody(stage: Stage) {
  const join = async (name: string, key: string) => {
    const person = stage.person();
    expect((await person.register(key, name)).status).toBe(200);
    return person;
  };
  const [disputed, refunded] = [await stage.buy(), await stage.buy()];
  const people = {
    visitor: stage.person(),
    expired: await join("expired", await stage.handOut(1)),
    disputed: await join("disputed", disputed.key),
    revoked: await join("revoked", refunded.key),
  };
  await stage.atStripe("dispute", { session: disputed.sessionId, status: "needs_response" });
  await stage.atStripe("refund", { session: refunded.sessionId });
  await stage.stripe.flush();
  stage.advance(2 * day);
  return { ...people, licensed: await join("licensed", await stage.handOut(30)) };
}

const tokenOf = async (person: Person): Promise<string> =>
  (await person.get("/api/user/me")).body.data.api_key;

test("nobody gets a byte they shouldn't: everybody × every download × every way of asking", async () => {
  await using stage = await openStage({
    env: { LIMITS: "download=1000/3600,download-free=1000/3600,app=1000/60" },
  });
  await release(stage, "1.0.0");
  const people = await everybody(stage);
  for (const [name, person] of Object.entries(people)) {
    const token = name === "visitor" ? "nobody's" : await tokenOf(person);
    for (const platform of platforms) {
      const { path } = paths[platform];
      const allowed = isFree(platform) || name === "licensed";
      const stranger = stage.person();
      const ways = {
        program: await person.get(path),
        page: await person.get(path, navigation),
        olderBrowser: await person.get(path, { "sec-fetch-site": "", accept: "text/html,*/*" }),
        head: await person.send("HEAD", path),
        piece: await person.get(path, { range: "bytes=0-3" }),
        token: await stranger.get(path, { authorization: `Bearer ${token}` }),
      };
      for (const [way, answer] of Object.entries(ways)) {
        const where = `${name} ${platform} ${way}`;
        const bytes = bytesOf(platform, "1.0.0");
        if (allowed) {
          expect([where, answer.status]).toEqual([where, way === "piece" ? 206 : 200]);
          const whole = way === "head" ? "" : way === "piece" ? bytes.slice(0, 4) : bytes;
          expect([where, answer.body]).toEqual([where, whole]);
          continue;
        }
        expect(JSON.stringify(answer.body)).not.toContain(bytes.slice(0, 10));
        if (way === "page" || way === "olderBrowser") {
          const page = name === "visitor" ? "/login?" : "/dashboard?notice=download-locked&";
          const to = `${page}file=${platform}`;
          expect([where, answer.status, answer.headers.get("location")]).toEqual([where, 302, to]);
        } else {
          const refused = name === "visitor" ? [401, "unauthenticated"] : [403, "license_required"];
          const code = way === "head" ? refused[1] : answer.body.code;
          expect([where, answer.status, code]).toEqual([where, ...refused]);
        }
      }
    }
  }
});

test("a file missing from the release or the store is not found", async () => {
  await using stage = await openStage();
  const ada = stage.person();
  await ada.register(await stage.handOut(), "ada");
  await release(stage, "1.0.0", { only: ["win_exe"] });
  expect(await ada.get("/api/download/mac")).toMatchObject({ status: 404, body: { code: "build_unknown" } });
  await rm(join(stage.dataDir, "builds"), { recursive: true });
  expect(await ada.get("/api/download")).toMatchObject({ status: 404, body: { code: "build_unknown" } });
  expect(stage.lines.filter((line) => line.includes("not in the store"))).toHaveLength(1);
});

describe("a file is served as HTTP requires", () => {
  /** One licensed person and one file of known bytes. */
  async function withFile() {
    const stage = await openStage({ env: { LIMITS: "download=1000/3600,own=10000/60" } });
    const ada = stage.person();
    await ada.register(await stage.handOut(), "ada");
    await release(stage, "1.0.0");
    const bytes = bytesOf("win_exe", "1.0.0");
    return {
      stage,
      ada,
      bytes,
      path: "/api/download",
      [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose](),
    };
  }

  test("complete, with its name, length, validators and digest; HEAD is the same without a body", async () => {
    await using it = await withFile();
    const whole = await it.ada.get(it.path);
    const head = await it.ada.send("HEAD", it.path);
    const sha256 = new Bun.CryptoHasher("sha256").update(it.bytes);
    const digest = sha256.digest();
    for (const answer of [whole, head]) {
      expect(answer.status).toBe(200);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        "content-disposition": 'attachment; filename="Wisp-Setup.exe"',
        "content-type": "application/octet-stream",
        "content-length": String(it.bytes.length),
        "accept-ranges": "bytes",
        "repr-digest": `sha-256=:${digest.toString("base64")}:`,
        etag: `"${digest.toString("hex")}"`,
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      });
      expect(Date.parse(answer.headers.get("last-modified") ?? "")).toBeGreaterThan(0);
    }
    expect(whole.body).toBe(it.bytes);
    expect(head.body).toBe("");
  });

  test("one range, from the front, the middle or the end", async () => {
    await using it = await withFile();
    const { length } = it.bytes;
    const cases: [string, number, number][] = [
      ["bytes=0-0", 0, 0],
      ["bytes=5-9", 5, 9],
      ["BYTES = 5 - 9", 5, 9],
      [`bytes=${length - 3}-`, length - 3, length - 1],
      ["bytes=-4", length - 4, length - 1],
      [`bytes=-${length * 2}`, 0, length - 1],
      [`bytes=7-${length * 2}`, 7, length - 1],
      ["bytes=7-99999999999999999999999", 7, length - 1],
      // merged, because they touch or overlap
      ["bytes=0-4,5-9", 0, 9],
      ["bytes=4-9,0-6", 0, 9],
      // the others lie outside
      [`bytes=2-3,${length}-`, 2, 3],
    ];
    for (const [range, first, last] of cases) {
      const answer = await it.ada.get(it.path, { range });
      expect([range, answer.status, answer.headers.get("content-range"), answer.body]).toEqual([
        range,
        206,
        `bytes ${first}-${last}/${length}`,
        it.bytes.slice(first, last + 1),
      ]);
      expect(answer.headers.get("content-length")).toBe(String(last - first + 1));
    }
  });

  test("several ranges, as parts with their positions", async () => {
    await using it = await withFile();
    const { length } = it.bytes;
    const answer = await it.ada.get(it.path, { range: "bytes=20-24,0-3,-5" });
    expect(answer.status).toBe(206);
    const [, boundary] =
      /^multipart\/byteranges; boundary=(\S+)$/.exec(answer.headers.get("content-type") ?? "") ?? [];
    const part = (first: number, last: number) =>
      `--${boundary}\r\nContent-Type: application/octet-stream\r\nContent-Range: bytes ${first}-${last}/${length}\r\n\r\n` +
      `${it.bytes.slice(first, last + 1)}\r\n`;
    expect(answer.body).toBe(
      `${part(0, 3)}${part(20, 24)}${part(length - 5, length - 1)}--${boundary}--\r\n`,
    );
  });

  test("a range outside the file is not satisfiable, and the answer has the file's length", async () => {
    await using it = await withFile();
    for (const range of [`bytes=${it.bytes.length}-`, "bytes=-0", `bytes=9999-99999,${it.bytes.length}-`]) {
      const answer = await it.ada.get(it.path, { range });
      expect(answer).toMatchObject({ status: 416, body: { status: 416, code: "range_unsatisfiable" } });
      expect(answer.headers.get("content-range")).toBe(`bytes */${it.bytes.length}`);
    }
  });

  test("a malformed range, one in another unit, or one of too many is ignored", async () => {
    await using it = await withFile();
    const many = Array.from({ length: 17 }, (_, at) => `${at * 2}-${at * 2}`).join(",");
    for (const range of [
      "bytes=9-5",
      "bytes=a-b",
      "bytes=-",
      "bytes=",
      "lines=0-3",
      "bytes",
      "0-3",
      `bytes=${many}`,
    ]) {
      const answer = await it.ada.get(it.path, { range });
      expect([range, answer.status, answer.body]).toEqual([range, 200, it.bytes]);
      expect(answer.headers.get("content-length")).toBe(String(it.bytes.length));
    }
  });

  test("a range is honoured only while If-Range matches the file", async () => {
    await using it = await withFile();
    const head = await it.ada.send("HEAD", it.path);
    const [etag, modified] = [head.headers.get("etag") ?? "", head.headers.get("last-modified") ?? ""];
    for (const known of [etag, modified]) {
      expect(await it.ada.get(it.path, { range: "bytes=0-3", "if-range": known })).toMatchObject({
        status: 206,
      });
    }
    for (const stale of [`W/${etag}`, '"another"', "Sat, 01 Jan 2000 00:00:00 GMT", "nonsense"]) {
      const answer = await it.ada.get(it.path, { range: "bytes=0-3", "if-range": stale });
      expect([stale, answer.status, answer.body]).toEqual([stale, 200, it.bytes]);
    }
  });

  test("a current copy is not sent again, but an older release that is current once more is", async () => {
    await using it = await withFile();
    const head = await it.ada.send("HEAD", it.path);
    const [etag, modified] = [head.headers.get("etag") ?? "", head.headers.get("last-modified") ?? ""];
    const tries: [Record<string, string>, number][] = [
      [{ "if-none-match": etag }, 304],
      [{ "if-none-match": `"other", W/${etag}` }, 304],
      [{ "if-none-match": "*" }, 304],
      [{ "if-none-match": '"other"' }, 200],
      [{ "if-modified-since": modified }, 304],
      [{ "if-modified-since": "Sat, 01 Jan 2000 00:00:00 GMT" }, 200],
      // the withdrawn release has a later date than the one that is current again
      [{ "if-modified-since": new Date(Date.now() + day).toUTCString() }, 200],
      [{ "if-none-match": '"other"', "if-modified-since": modified }, 200],
      [{ "if-match": etag }, 200],
      [{ "if-match": '"other"' }, 412],
      [{ "if-match": `W/${etag}` }, 412],
      [{ "if-unmodified-since": modified }, 200],
      [{ "if-unmodified-since": "Sat, 01 Jan 2000 00:00:00 GMT" }, 412],
    ];
    for (const [headers, status] of tries) {
      const answer = await it.ada.get(it.path, headers);
      expect([headers, answer.status]).toEqual([headers, status]);
      if (status === 304) expect([answer.body, answer.headers.get("etag")]).toEqual(["", etag]);
    }
    const head304 = await it.ada.send("HEAD", it.path, { headers: { "if-none-match": etag } });
    expect(head304.status).toBe(304);
  });
});

describe("downloads are counted and logged", () => {
  const records = async (stage: Stage) =>
    (await stage.ctx.store.client.execute("SELECT * FROM audit_log WHERE action = 'build.downloaded'")).rows;

  test("an account may start twenty an hour, in any mixture of files and ways to sign in", async () => {
    await using stage = await openStage();
    await release(stage, "1.0.0");
    const ada = stage.person();
    await ada.register(await stage.handOut(), "ada");
    const authorization = `Bearer ${await tokenOf(ada)}`;
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, at) => {
        const { path } = paths[paidPlatforms[at % paidPlatforms.length] ?? "win_exe"];
        return at % 2 ? ada.get(path) : stage.person().get(path, { authorization });
      }),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(
      refused.every(({ status, headers }) => status === 429 && Number(headers.get("retry-after")) > 3500),
    ).toBe(true);
    expect(await records(stage)).toHaveLength(20);
    stage.advance(hour);
    expect((await ada.get("/api/download")).status).toBe(200);
  });

  test("an address may start ten free ones an hour", async () => {
    await using stage = await openStage();
    await release(stage, "1.0.0");
    const visitor = stage.person();
    const answers = await Promise.all(
      Array.from({ length: 15 }, (_, at) => visitor.get(at % 2 ? "/api/download/free" : "/api/download/rpc")),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect((await stage.person().get("/api/download/free")).status).toBe(200);
  });

  test("resumed downloads count once, but not for ever, and answers without bytes don't count", async () => {
    await using stage = await openStage();
    await release(stage, "1.0.0");
    const ada = stage.person();
    await ada.register(await stage.handOut(), "ada");
    const size = bytesOf("win_exe", "1.0.0").length;
    const etag = (await ada.send("HEAD", "/api/download")).headers.get("etag") ?? "";
    await ada.get("/api/download", { "if-none-match": etag });
    await ada.get("/api/download", { range: `bytes=${size}-` });
    expect(await records(stage)).toHaveLength(0);
    for (let at = 0; at < 40; at += 1) {
      expect((await ada.get("/api/download", { range: `bytes=${at}-` })).status).toBe(206);
    }
    // ten times over counts as another download
    const counted = (await records(stage)).length;
    expect(counted).toBeGreaterThan(1);
    expect(counted).toBeLessThan(6);
    // another person's pieces count as their own download
    const tim = stage.person();
    await tim.register(await stage.handOut(), "tim");
    await tim.get("/api/download", { range: "bytes=0-3" });
    expect(await records(stage)).toHaveLength(counted + 1);
  });

  test("the log says who, which version and which file", async () => {
    await using stage = await openStage();
    await release(stage, "1.0.0");
    const ada = stage.person();
    await ada.register(await stage.handOut(), "ada");
    const { id } = (await ada.get("/api/user/me")).body.data;
    await ada.get("/api/download/linux/deb");
    await stage.person().get("/api/download/free");
    const detail = (platform: string) => JSON.stringify({ version: "1.0.0", platform });
    expect(await records(stage)).toMatchObject([
      { actor: id, account_id: id, detail: detail("linux_deb") },
      { actor: "visitor", account_id: null, detail: detail("free") },
    ]);
  });
});

/** Sends a request line as it is: an HTTP client would normalise it first. */
function raw(stage: Stage, target: string, headers: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = stage.shop.listening;
    let seen = "";
    const socket = connect(Number(port), hostname, () => {
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(
        `GET ${target} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: close\r\n${lines.join("")}\r\n`,
      );
    });
    socket.on("data", (bytes: Buffer) => (seen += bytes.toString("latin1")));
    socket.on("end", () => resolve(seen));
    socket.on("error", reject);
  });
}

test("no path, however it is written, serves anything but a build", async () => {
  await using stage = await openStage({
    env: { LIMITS: "other=100000/60,app=100000/60,download=100000/3600" },
  });
  await release(stage, "1.0.0");
  const ada = stage.person();
  await ada.register(await stage.handOut(), "ada");
  const authorization = `Bearer ${await tokenOf(ada)}`;
  const secret = "what must never be seen";
  await Bun.write(join(stage.dataDir, "outside.txt"), secret);
  await Bun.write(join(stage.dataDir, "builds", "inside.txt"), secret);
  const up = [
    "..",
    "%2e%2e",
    "%2E.",
    "..%00",
    "%252e%252e",
    "..;",
    "%c0%ae%c0%ae",
    "%u002e%u002e",
    ".%2e",
    "．．",
  ];
  const slashes = ["/", "%2f", "%5c", "\\", "%252f", "%c0%af", "//", "/./"];
  const targets = ["outside.txt", "builds/inside.txt", "secret.key", "shop.db", "etc/passwd", "inside.txt"];
  const bases = [
    "/api/download/",
    "/api/download/linux/",
    "/api/app/v1/update/",
    "/api/app/v1/update/files/1.0.0/win_exe/",
    "/api/app/v1/update/files/",
    "/api/version/",
  ];
  const attempts = bases.flatMap((base) =>
    up.flatMap((dots) =>
      slashes.flatMap((slash) =>
        targets.map(
          (target) =>
            `${base}${Array(1 + (target.length % 4))
              .fill(dots)
              .join(slash)}${slash}${target}`,
        ),
      ),
    ),
  );
  attempts.push(...bases.flatMap((base) => targets.map((target) => `${base}${target}`)));
  const statuses = new Map<number, number>();
  for (let at = 0; at < attempts.length; at += 40) {
    const answers = await Promise.all(
      attempts
        .slice(at, at + 40)
        .map(async (target) => ({ target, seen: await raw(stage, target, { authorization }) })),
    );
    for (const { target, seen } of answers) {
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(seen)?.[1]);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      expect([
        target,
        seen.includes(secret),
        /SQLite format|root:x:|content-disposition/i.test(seen),
      ]).toEqual([target, false, false]);
      expect([target, status >= 400 && status < 500]).toEqual([target, true]);
    }
  }
  console.log(`${attempts.length} paths tried:`, Object.fromEntries(statuses));
});

describe("a large file", () => {
  const megabyte = 1024 * 1024;
  const size = 200 * megabyte;

  /** A sparse 200 MB file, with markers to tell positions apart. */
  async function publishLarge(stage: Stage): Promise<string> {
    const path = join(scratch, `large-${crypto.randomUUID()}.bin`);
    await Bun.$`truncate -s ${size} ${path}`;
    const file = await open(path, "r+");
    for (let at = 0; at < 200; at += 1) await file.write(`megabyte ${at}`, at * megabyte);
    await file.close();
    await publish(
      stage.ctx,
      stage.shop.builds,
      {
        version: "9.0.0",
        channel: "latest",
        title: "Large",
        content: "",
        builds: [{ platform: "win_exe", name: "Large.exe", file: Bun.file(path) }],
      },
      { actor: operator, reason: "a story" },
    );
    return path;
  }

  testNeeding("curl")("curl resumes an interrupted one, and the result is right", async () => {
    await using stage = await openStage();
    const path = await publishLarge(stage);
    const ada = stage.person();
    await ada.register(await stage.handOut(), "ada");
    const header = `authorization: Bearer ${await tokenOf(ada)}`;
    const url = new URL("/api/download", stage.url).href;
    const to = join(scratch, "resumed.bin");
    const cut = Bun.spawn(["curl", "-s", "--limit-rate", "30M", "-H", header, "-o", to, url]);
    const soFar = () => Bun.file(to).size;
    for (const deadline = Date.now() + 20_000; soFar() < 20 * megabyte && Date.now() < deadline;)
      await Bun.sleep(10);
    cut.kill("SIGKILL");
    await cut.exited;
    const had = soFar();
    expect(had).toBeGreaterThan(0);
    expect(had).toBeLessThan(size);
    expect((await Bun.$`curl -s -f -C - -H ${header} -o ${to} ${url}`.nothrow()).exitCode).toBe(0);
    expect((await Bun.$`cmp ${path} ${to}`.nothrow()).exitCode).toBe(0);
    const { rows } = await stage.ctx.store.client.execute(
      "SELECT count(*) AS n FROM audit_log WHERE action = 'build.downloaded'",
    );
    expect(rows[0]?.["n"]).toBe(1);
  });

  test("many ranges are sent without being held in memory, and reading stops when the client leaves", async () => {
    await using stage = await openStage();
    await publishLarge(stage);
    const ada = stage.person();
    await ada.register(await stage.handOut(), "ada");
    const authorization = `Bearer ${await tokenOf(ada)}`;
    const range = `bytes=0-${90 * megabyte},${100 * megabyte}-${190 * megabyte}`;
    // what stories before this one left is not its growth
    Bun.gc(true);
    const before = process.memoryUsage.rss();
    let most = before;
    const one = async () => {
      const response = await fetch(new URL("/api/download", stage.url), {
        headers: { authorization, range },
      });
      let seen = 0;
      for await (const piece of response.body ?? []) {
        seen += piece.byteLength;
        most = Math.max(most, process.memoryUsage.rss());
      }
      return seen;
    };
    const leaver = new AbortController();
    const left = await fetch(new URL("/api/download", stage.url), {
      headers: { authorization, range },
      signal: leaver.signal,
    });
    await left.body?.getReader().read();
    const seen = await Promise.all([one(), one(), one()]);
    leaver.abort();
    for (const bytes of seen) expect(bytes).toBeGreaterThan(180 * megabyte);
    const grown = (most - before) / megabyte;
    console.log(`3 × 180 MB in two parts each: memory grew by ${grown.toFixed(0)} MB`);
    // held in memory it would be 540 MB and more
    expect(grown).toBeLessThan(400);
    expect((await ada.get("/api/health")).status).toBe(200);
  });
});
