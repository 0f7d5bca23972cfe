import { operator } from "@/core/base/actor";
import { afterAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publish } from "@/domain/releases/publish";
import { atDesk } from "../../support/people/desk";
import { startBucket } from "../../support/network/bucket";
import { bytesOf, release } from "../../support/shop/publish-release";
import { eventually, openStage, type Stage } from "../../support/shop/stage";

const scratch = await mkdtemp(join(tmpdir(), "latchkey-bucket-"));
afterAll(() => rm(scratch, { recursive: true, force: true }));

const bucketOfBuilds = ({ env }: ReturnType<typeof startBucket>) => ({
  ...env,
  BUILDS_URL: "s3://builds/wisp/",
});

async function licensedPerson(stage: Stage) {
  const ada = stage.person();
  await ada.register(await stage.handOut(), "ada");
  return ada;
}

test("with a bucket the same downloads work, ranges included, with the same access checks", async () => {
  await using bucket = startBucket();
  await using stage = await openStage({ env: bucketOfBuilds(bucket) });
  await release(stage, "1.0.0");
  const bytes = bytesOf("mac_dmg", "1.0.0");
  expect([...bucket.objects.keys()].every((key) => /^\/builds\/wisp\/[0-9a-f]{64}$/.test(key))).toBe(true);
  const ada = await licensedPerson(stage);
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

test("a large build is uploaded in parts and downloaded complete; publishing it again uploads nothing", async () => {
  await using bucket = startBucket();
  await using stage = await openStage({
    env: { ...bucketOfBuilds(bucket), LIMITS: "download=1000/3600,own=10000/60" },
  });
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
      { actor: operator, reason: "a story" },
    );
    expect(put()).toBe(5);
  }
  const ada = await licensedPerson(stage);
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
});

test("a release that is uploaded in parts is published from them, and the bucket keeps the build alone", async () => {
  await using bucket = startBucket();
  await using stage = await openStage({ env: bucketOfBuilds(bucket) });
  const olga = await atDesk(stage, "olga", "owner");
  const bytes = crypto.getRandomValues(new Uint8Array(1_000));
  const sha256 = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
  const files = [{ name: "Wisp-Setup.exe", size: bytes.length, sha256 }];
  const terms = { version: "2.0.0", title: "New", files, reason: "a story" };
  const { id } = (await olga.post("releases/uploads", terms)).body.data;
  await olga.person.send("PUT", `/api/desk/releases/uploads/${id}/parts/0`, {
    body: bytes,
    headers: { "content-type": "application/octet-stream" },
  });
  await olga.post(`releases/uploads/${id}/finish`, { reason: "a story" });
  await stage.shop.worker.drain();
  expect((await olga.get(`releases/uploads/${id}`)).body.data.state).toBe("published");
  expect([...bucket.objects.keys()]).toEqual([`/builds/wisp/${sha256}`]);
});

test("while the bucket is unreachable downloads are refused, and everything else works", async () => {
  await using bucket = startBucket();
  await using stage = await openStage({ env: bucketOfBuilds(bucket) });
  await release(stage, "1.0.0");
  const ada = await licensedPerson(stage);
  await mkdir(join(stage.dataDir, "builds"), { recursive: true });
  await ada.get("/api/download/mac");
  await eventually(
    () => new Bun.Glob("[0-9a-f]*").scanSync({ cwd: join(stage.dataDir, "builds") }).next().done,
    (none) => !none,
  );
  bucket.state.down = true;
  // what was copied before is still available
  expect((await ada.get("/api/download/mac")).status).toBe(200);
  expect(await ada.get("/api/download")).toMatchObject({ status: 503, body: { code: "unavailable" } });
  expect((await ada.get("/api/version/filesizes")).status).toBe(200);
  bucket.state.down = false;
  expect((await ada.get("/api/download")).status).toBe(200);
});
