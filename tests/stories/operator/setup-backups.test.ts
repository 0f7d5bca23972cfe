import { afterAll, expect, test } from "bun:test";
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tryBackupPlace } from "@/operator/setup/backups";
import { startBucket } from "../../support/network/bucket";

const scratch = await mkdtemp(join(tmpdir(), "latchkey-setup-backups-"));
afterAll(() => rm(scratch, { recursive: true, force: true }));

const keys = { backupKey: randomBytes(32), secretKey: randomBytes(32) };
const accessOf = ({ env }: ReturnType<typeof startBucket>, accessKeyId = env.AWS_ACCESS_KEY_ID) => ({
  endpoint: env.AWS_ENDPOINT_URL_S3,
  region: env.AWS_REGION,
  accessKeyId,
  secretAccessKey: env.AWS_SECRET_ACCESS_KEY,
});

test("a folder is made, tried by a round trip, and left as it was", async () => {
  const place = join(scratch, "new", "backups");
  expect(await tryBackupPlace({ place, access: null, keys })).toEqual({ kind: "ok" });
  expect(await readdir(place)).toEqual([]);
  await writeFile(join(place, "shop-2026-01-01T00-00-00-000Z.backup"), "kept");
  // of a trial that was killed
  for (const name of ["trial", ".trial.part"]) await writeFile(join(place, name), "half");
  const onlySecret = { backupKey: null, secretKey: keys.secretKey };
  expect(await tryBackupPlace({ place, access: null, keys: onlySecret })).toEqual({ kind: "ok" });
  expect(await readdir(place)).toEqual(["shop-2026-01-01T00-00-00-000Z.backup"]);
});

test("a folder that can't be one is refused", async () => {
  const file = join(scratch, "file");
  await writeFile(file, "");
  for (const place of [file, join(file, "below")])
    expect(await tryBackupPlace({ place, access: null, keys })).toMatchObject({
      kind: "refused",
      reason: expect.stringContaining("can't be used: it is not a folder"),
    });
  expect(await tryBackupPlace({ place: "ftp://elsewhere/x", access: null, keys })).toMatchObject({
    kind: "refused",
  });
});

test("a bucket is tried by a round trip, and left as it was", async () => {
  await using bucket = startBucket();
  const place = "s3://backups/shop";
  expect(await tryBackupPlace({ place, access: accessOf(bucket), keys })).toEqual({ kind: "ok" });
  expect(bucket.asked.some((one) => one.startsWith("PUT /backups/shop/trial"))).toBe(true);
  expect([...bucket.objects.keys()]).toEqual([]);
  expect(await tryBackupPlace({ place, access: null, keys })).toMatchObject({
    kind: "refused",
    reason: expect.stringContaining("AWS_ACCESS_KEY_ID"),
  });
});

test("a bucket that refuses is told from one that is away, without its key", async () => {
  await using bucket = startBucket();
  const place = "s3://backups/shop";
  const wrong = await tryBackupPlace({ place, access: accessOf(bucket, "wrong-id"), keys });
  expect(wrong).toMatchObject({ kind: "refused", reason: expect.stringContaining("AccessDenied") });
  expect(JSON.stringify(wrong)).not.toMatch(/wrong-id|secret/);
  bucket.state.down = true;
  const down = await tryBackupPlace({ place, access: accessOf(bucket), keys });
  expect(down.kind).toBe("untested");
  const nobody = { ...accessOf(bucket), endpoint: "http://127.0.0.1:9" };
  expect(await tryBackupPlace({ place, access: nobody, keys })).toMatchObject({
    kind: "untested",
    reason: expect.stringContaining("can't be reached"),
  });
});

const refusalOf = (code: string) => `<Error><Code>${code}</Code><Message>Words of ${code}.</Message></Error>`;
const page = "<html><body>A page</body></html>";

test("whatever a bucket answers is refused in its own words, unless it is overloaded or fails", async () => {
  await using bucket = startBucket();
  const after = (status: number, body: string) => {
    bucket.state.answer = () => new Response(body, { status });
    return tryBackupPlace({ place: "s3://backups/shop", access: accessOf(bucket), keys });
  };
  for (const code of ["InvalidArgument", "Unauthorized", "InvalidRegionName", "Forbidden"]) {
    expect(await after(400, refusalOf(code))).toEqual({
      kind: "refused",
      reason: `The bucket s3://backups/shop refuses: Words of ${code} (${code}).`,
    });
  }
  expect(await after(403, refusalOf("RequestTimeTooSkewed"))).toMatchObject({ kind: "refused" });
  for (const status of [301, 403, 404]) {
    expect(await after(status, page)).toEqual({
      kind: "refused",
      reason: `What answers for s3://backups/shop is no bucket (${status}): check the bucket's host and name.`,
    });
  }
  for (const code of ["SlowDown", "InternalError", "ServiceUnavailable", "RequestTimeout"]) {
    expect(await after(400, refusalOf(code))).toMatchObject({ kind: "untested" });
  }
  for (const body of [page, ""]) expect(await after(502, body)).toMatchObject({ kind: "untested" });
});

test("a key that may write and not read is refused", async () => {
  await using bucket = startBucket();
  bucket.state.answer = ({ method, url }) =>
    method === "HEAD" || (method === "GET" && url.includes("/trial"))
      ? new Response(refusalOf("AccessDenied"), { status: 403 })
      : null;
  expect(await tryBackupPlace({ place: "s3://backups/shop", access: accessOf(bucket), keys })).toEqual({
    kind: "refused",
    reason: "The bucket s3://backups/shop refuses: Words of AccessDenied (AccessDenied).",
  });
});
