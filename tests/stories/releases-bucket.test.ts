import { afterAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publish } from "@/domain/releases/publish";
import { bytesOf, release } from "../releasing";
import { eventually, openStage, type Stage } from "../stage";

const scratch = await mkdtemp(join(tmpdir(), "latchkey-bucket-"));
afterAll(() => rm(scratch, { recursive: true, force: true }));

/**
 * As much of S3 as a build store uses, over a real socket: objects put whole or in parts, their heads, and
 * ranges of them. https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_Amazon_Simple_Storage_Service.html
 */
function startBucket() {
  const objects = new Map<string, Blob>();
  const uploads = new Map<string, Map<number, Blob>>();
  const asked: string[] = [];
  const state = { down: false };
  const xml = (body: string, status = 200) =>
    new Response(`<?xml version="1.0" encoding="UTF-8"?>${body}`, {
      status,
      headers: { "content-type": "application/xml" },
    });
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    maxRequestBodySize: 1024 * 1024 * 1024,
    async fetch(request) {
      const { pathname: key, searchParams } = new URL(request.url);
      asked.push(`${request.method} ${key}`);
      if (state.down) return xml("<Error><Code>SlowDown</Code><Message>x</Message></Error>", 503);
      if (!/AWS4-HMAC-SHA256 Credential=key-id\//.test(request.headers.get("authorization") ?? "")) {
        return xml("<Error><Code>AccessDenied</Code><Message>x</Message></Error>", 403);
      }
      const upload = searchParams.get("uploadId");
      if (request.method === "POST" && searchParams.has("uploads")) {
        const id = crypto.randomUUID();
        uploads.set(id, new Map());
        return xml(
          `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
        );
      }
      if (request.method === "PUT") {
        const body = new Blob([await request.bytes()]);
        const parts = upload ? uploads.get(upload) : undefined;
        if (parts) parts.set(Number(searchParams.get("partNumber")), body);
        else objects.set(key, body);
        return new Response(null, { headers: { etag: '"part"' } });
      }
      if (request.method === "POST" && upload) {
        const parts = [...(uploads.get(upload) ?? [])].toSorted(([a], [b]) => a - b);
        objects.set(key, new Blob(parts.map(([, part]) => part)));
        return xml("<CompleteMultipartUploadResult><ETag>whole</ETag></CompleteMultipartUploadResult>");
      }
      const object = objects.get(key);
      if (!object) return xml("<Error><Code>NoSuchKey</Code><Message>x</Message></Error>", 404);
      if (request.method === "HEAD")
        return new Response(null, { headers: { "content-length": String(object.size), etag: '"x"' } });
      const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.get("range") ?? "") ?? [];
      if (first === undefined) return new Response(object);
      const end = last ? Number(last) + 1 : object.size;
      return new Response(object.slice(Number(first), end), {
        status: 206,
        headers: { "content-range": `bytes ${first}-${end - 1}/${object.size}` },
      });
    },
  });
  return {
    objects,
    asked,
    state,
    env: {
      BUILDS_URL: "s3://builds/wisp/",
      AWS_ENDPOINT_URL_S3: server.url.origin,
      AWS_ACCESS_KEY_ID: "key-id",
      AWS_SECRET_ACCESS_KEY: "secret",
      AWS_REGION: "eu-central-1",
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

async function licensed(stage: Stage) {
  const ada = stage.person();
  await ada.register(await stage.handOut(), "ada");
  return ada;
}

test("with a bucket the same downloads work, ranges and all, and stay behind the gate", async () => {
  await using bucket = startBucket();
  await using stage = await openStage({ env: bucket.env });
  await release(stage, "1.0.0");
  const bytes = bytesOf("mac_dmg", "1.0.0");
  expect([...bucket.objects.keys()].every((key) => /^\/builds\/wisp\/[0-9a-f]{64}$/.test(key))).toBe(true);
  const ada = await licensed(stage);
  const whole = await ada.get("/api/download/mac");
  expect([whole.status, whole.body]).toEqual([200, bytes]);
  expect((await ada.send("HEAD", "/api/download/mac")).headers.get("content-length")).toBe(
    String(bytes.length),
  );
  expect((await ada.get("/api/download/mac", { range: "bytes=5-9" })).body).toBe(bytes.slice(5, 10));
  const several = await ada.get("/api/download/mac", { range: "bytes=0-3,-4" });
  expect([several.status, several.body.includes(bytes.slice(-4))]).toEqual([206, true]);
  const before = bucket.asked.length;
  expect((await stage.person().get("/api/download/mac")).status).toBe(401);
  expect(bucket.asked.length).toBe(before);
});

test("a large build goes up in parts and comes down whole; publishing it again sends nothing", async () => {
  await using bucket = startBucket();
  await using stage = await openStage({ env: { ...bucket.env, LIMITS: "download=1000/3600,own=10000/60" } });
  const path = join(scratch, "large.bin");
  await Bun.write(path, crypto.getRandomValues(new Uint8Array(65_536)));
  await Bun.$`truncate -s 40M ${path}`;
  const put = () => bucket.asked.filter((line) => line.startsWith("PUT")).length;
  for (const version of ["1.0.0", "1.0.1"]) {
    await publish(
      stage.ctx,
      stage.shop.builds,
      {
        version,
        channel: "latest",
        title: "Large",
        content: "",
        builds: [{ platform: "win_exe", name: "Large.exe", file: Bun.file(path) }],
      },
      { actor: "operator", reason: "a story" },
    );
    expect(put()).toBe(5);
  }
  const ada = await licensed(stage);
  const sha256 = (bytes: Uint8Array) => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
  const fetchIt = async () => {
    const cookie = `session=${ada.cookies.get("session")}`;
    const response = await fetch(new URL("/api/download", stage.url), { headers: { cookie } });
    const length = response.headers.get("content-length");
    return { length, right: sha256(await response.bytes()) === sha256(await Bun.file(path).bytes()) };
  };
  expect(await fetchIt()).toEqual({ length: null, right: true });
  // from this machine's copy as soon as it is whole, and then with its length
  expect(await eventually(fetchIt, ({ length }) => length === String(Bun.file(path).size))).toMatchObject({
    right: true,
  });
}, 60_000);

test("while the bucket is away a download is refused for the moment, and everything else works", async () => {
  await using bucket = startBucket();
  await using stage = await openStage({ env: bucket.env });
  await release(stage, "1.0.0");
  const ada = await licensed(stage);
  await mkdir(join(stage.dataDir, "builds"), { recursive: true });
  await ada.get("/api/download/mac");
  await eventually(
    () => new Bun.Glob("[0-9a-f]*").scanSync({ cwd: join(stage.dataDir, "builds") }).next().done,
    (none) => !none,
  );
  bucket.state.down = true;
  // what was copied before is still to be had
  expect((await ada.get("/api/download/mac")).status).toBe(200);
  expect(await ada.get("/api/download")).toMatchObject({ status: 503, body: { code: "unavailable" } });
  expect((await ada.get("/api/version/filesizes")).status).toBe(200);
  bucket.state.down = false;
  expect((await ada.get("/api/download")).status).toBe(200);
});

test("a bucket without credentials stops the start with a sentence", async () => {
  const { readConfig } = await import("@/core/config");
  const read = (env: Record<string, string>) => () => readConfig(env);
  expect(read({ BUILDS_URL: "s3://builds" })).toThrow("The setting AWS_ACCESS_KEY_ID is missing.");
  expect(read({ BUILDS_URL: "ftp://builds" })).toThrow(
    "The setting BUILDS_URL must be a folder or s3://bucket/prefix.",
  );
});
