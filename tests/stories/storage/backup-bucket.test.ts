import { afterAll, expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backupBucket } from "@/gateways/storage/backup-place";
import { startBucket } from "../../support/network/bucket";
import { operateWith, settingsOf } from "../../support/operator/run-operator";
import { eventually, openStage, type Stage } from "../../support/shop/stage";

const scratch = await mkdtemp(join(tmpdir(), "latchkey-bucket-backups-"));
afterAll(() => rm(scratch, { recursive: true, force: true }));

const to = "s3://backups/shop";
const why = ["--reason", "a drill"];
type Bucket = ReturnType<typeof startBucket>;

const at = (stage: Stage, bucket: Bucket, more: Record<string, string> = {}) => ({
  ...settingsOf(stage),
  ...bucket.env,
  ...more,
});
const names = ({ objects }: Bucket) => [...objects.keys()].map((key) => key.replace("/backups/shop/", ""));

test("backups are sealed in a bucket, the oldest are removed, and the newest is restored from it", async () => {
  await using bucket = startBucket();
  await using stage = await openStage();
  const { key } = await stage.buy();
  bucket.objects.set("/backups/shop/somebody-elses.txt", new Blob(["kept"]));
  bucket.objects.set("/backups/other/shop-2020-01-01T00-00-00-000Z.backup", new Blob(["kept"]));
  for (let made = 0; made < 4; made += 1) {
    const { code, err } = await operateWith(at(stage, bucket), "backup", "--to", to, "--keep", "3");
    expect({ code, err }).toEqual({ code: 0, err: "" });
  }
  const kept = names(bucket).filter((name) => name.startsWith("shop-"));
  expect(kept).toHaveLength(3);
  expect(names(bucket)).toContain("somebody-elses.txt");
  expect(bucket.objects.has("/backups/other/shop-2020-01-01T00-00-00-000Z.backup")).toBe(true);
  for (const object of bucket.objects.values()) {
    expect(Buffer.from(await object.bytes()).includes("SQLite format")).toBe(false);
  }
  const listed = await operateWith(at(stage, bucket), "backups", "--in", to, "--json");
  const { backups } = JSON.parse(listed.out);
  expect(backups.map((one: { name: string }) => one.name)).toEqual(kept.toSorted());

  const machine = await mkdtemp(join(scratch, "machine-"));
  const restored = await operateWith(at(stage, bucket, { DATA_DIR: machine }), "restore", to, ...why);
  expect(restored).toMatchObject({ code: 0, err: "" });
  const shown = await operateWith(
    at(stage, bucket, { DATA_DIR: machine }),
    "licences",
    "show",
    key,
    "--json",
  );
  expect(JSON.parse(shown.out)).toMatchObject({ status: "unredeemed" });
  expect((await readdir(machine)).filter((name) => /incoming|restoring|copy/.test(name))).toEqual([]);
  const one = `${to}/${kept[0]}`;
  const elsewhere = await mkdtemp(join(scratch, "machine-"));
  expect(await operateWith(at(stage, bucket, { DATA_DIR: elsewhere }), "restore", one, ...why)).toMatchObject(
    {
      code: 0,
    },
  );
});

test("a bucket that is unreachable, refuses or is empty is named in a sentence, and no older backup is lost", async () => {
  await using bucket = startBucket();
  await using stage = await openStage();
  await operateWith(at(stage, bucket), "backup", "--to", to);
  const before = names(bucket);
  bucket.state.down = true;
  const away = await operateWith(at(stage, bucket), "backup", "--to", to, "--keep", "1");
  expect(away).toMatchObject({ code: 1, err: expect.stringContaining(`The bucket ${to} can't be reached`) });
  bucket.state.down = false;
  const refused = { AWS_ACCESS_KEY_ID: "another" };
  const turned = await operateWith(at(stage, bucket, refused), "backup", "--to", to, "--keep", "1");
  expect(turned.err).toBe(`The bucket ${to} can't be reached or refuses (AccessDenied).\n`);
  expect(names(bucket)).toEqual(before);
  // and an unfinished upload doesn't disturb the next one
  expect((await operateWith(at(stage, bucket), "backup", "--to", to)).code).toBe(0);

  const machine = await mkdtemp(join(scratch, "machine-"));
  const empty = await operateWith(
    at(stage, bucket, { DATA_DIR: machine }),
    "restore",
    "s3://backups/none",
    ...why,
  );
  expect(empty.err).toBe("There is no backup in s3://backups/none.\n");
  const keyless = { ...settingsOf(stage), DATA_DIR: machine };
  expect((await operateWith(keyless, "restore", to, ...why)).err).toContain("AWS_ACCESS_KEY_ID");
  expect(await readdir(machine)).toEqual([]);
});

const pieceBytes = 1024 * 1024;
const placeIn = (bucket: Bucket) =>
  backupBucket({
    bucket: "backups",
    prefix: "shop",
    endpoint: bucket.env.AWS_ENDPOINT_URL_S3,
    region: bucket.env.AWS_REGION,
    accessKeyId: bucket.env.AWS_ACCESS_KEY_ID,
    secretAccessKey: bucket.env.AWS_SECRET_ACCESS_KEY,
  });

test("an upload whose source fails leaves neither an object nor parts in the bucket", async () => {
  await using bucket = startBucket();
  const failed = new Error("the disk can't be read");
  const underWay = () => bucket.uploads.size;
  async function* failing() {
    for (let made = 0; made < 20; made += 1) yield new Uint8Array(pieceBytes);
    await eventually(underWay, (some) => some > 0);
    throw failed;
  }
  const outcome = await placeIn(bucket)
    .put("shop-1.backup", failing())
    .catch((error: unknown) => error);
  expect(outcome).toBe(failed);
  await eventually(underWay, (some) => some === 0);
  expect(names(bucket)).toEqual([]);
});

test("an upload takes no more from its source than the bucket keeps up with", async () => {
  await using bucket = startBucket();
  const parts = () => bucket.asked.filter((one) => one.startsWith("PUT ")).length;
  let partsAtTheEnd = 0;
  async function* pieces() {
    for (let made = 0; made < 80; made += 1) yield new Uint8Array(pieceBytes);
    partsAtTheEnd = parts();
  }
  await placeIn(bucket).put("shop-1.backup", pieces());
  expect(bucket.objects.get("/backups/shop/shop-1.backup")?.size).toBe(80 * pieceBytes);
  expect(parts()).toBe(10);
  expect(partsAtTheEnd).toBeGreaterThan(5);
});
