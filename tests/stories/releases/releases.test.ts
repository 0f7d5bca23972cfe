import { afterAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brand } from "@/brand/brand";
import { paidPlatforms, platforms } from "@/contract/vocabulary/builds";
import { day } from "@/contract/vocabulary/time";
import { createBuildStore } from "@/gateways/storage/build-store";
import { bytesOf, release } from "../../support/shop/publish-release";
import { operateWith } from "../../support/operator/run-operator";
import { openStage, type Stage } from "../../support/shop/stage";
import { testNeeding } from "../../support/checks/test-needing";

const scratch = await mkdtemp(join(tmpdir(), "latchkey-releases-"));
afterAll(() => rm(scratch, { recursive: true, force: true }));

/** The operator's command with the settings of a shop without Stripe. */
const operate = ({ dataDir }: Pick<Stage, "dataDir">, ...args: string[]) =>
  operateWith({ DATA_DIR: dataDir, SECRET_KEY: Buffer.alloc(32, 7).toString("base64") }, ...args);

/** A folder like the one that a build leaves. */
async function folderWith(files: Record<string, string>): Promise<string> {
  const folder = join(scratch, crypto.randomUUID());
  for (const [name, text] of Object.entries(files)) await Bun.write(join(folder, name), text);
  return folder;
}

const notes = "# A title\n\nFirst line\nsecond line\n";
const about = async (stage: Stage) => (await stage.person().get("/api/version/builds")).body.data;

test("before the first release there is no changelog, no size and no file", async () => {
  await using stage = await openStage();
  const visitor = stage.person();
  expect((await visitor.get("/api/version/logs")).body).toEqual({ status: 200, data: [] });
  expect((await visitor.get("/api/version/filesizes")).body.data).toEqual(
    Object.fromEntries(paidPlatforms.map((platform) => [platform, null])),
  );
  expect(await about(stage)).toBeNull();
  expect(await visitor.get("/api/download/free")).toMatchObject({
    status: 404,
    body: { code: "build_unknown" },
  });
});

test("a folder is published with its notes, and a file that is missing from it has no size", async () => {
  await using stage = await openStage();
  const folder = await folderWith({
    "Wisp-Setup-2.0.0.exe": "windows",
    "wisp_2.0.0_amd64.deb": "debian",
    "Wisp-Free.exe": "free",
    "latest.yml": "left by the maker",
    "Wisp-Setup-2.0.0.exe.blockmap": "left by the maker",
    "notes.md": notes,
  });
  const published = await operate(
    stage,
    "releases",
    "publish",
    "2.0.0",
    folder,
    "--reason",
    "it is done",
    "--json",
  );
  expect(published).toMatchObject({ code: 0, err: "" });
  expect(JSON.parse(published.out).builds.toSorted()).toEqual(["free", "linux_deb", "win_exe"]);
  const visitor = stage.person();
  expect((await visitor.get("/api/version/logs")).body.data).toMatchObject([
    { title: "A title", content: "First line\nsecond line" },
  ]);
  expect((await visitor.get("/api/version/filesizes")).body.data).toMatchObject({
    win_exe: 7,
    linux_deb: 6,
    mac_dmg: null,
  });
  const { builds } = await about(stage);
  expect(builds.win_exe.sha256).toBe(new Bun.CryptoHasher("sha256").update("windows").digest("hex"));
  expect(builds.free).toMatchObject({ name: "Wisp-Free.exe", path: "/api/download/free" });
  expect((await visitor.get("/api/download/free")).body).toBe("free");
  const log = await stage.ctx.store.client.execute(
    "SELECT * FROM audit_log WHERE action = 'release.published'",
  );
  expect(log.rows).toMatchObject([{ actor: "operator", reason: "it is done" }]);
});

test("a folder without notes is published under the product's name and version", async () => {
  await using stage = await openStage();
  const folder = await folderWith({ "Wisp-Setup.exe": "windows" });
  expect(await operate(stage, "releases", "publish", "1.0.0", folder)).toMatchObject({ code: 0, err: "" });
  expect((await stage.person().get("/api/version/logs")).body.data).toMatchObject([
    { title: `${brand.product} 1.0.0`, content: "" },
  ]);
});

/** What electron-builder leaves for a product with a blank in its name, on the three systems. */
const electronBuilder: Record<string, string> = {
  "My App Setup 2.0.0.exe": "win_exe",
  "My App-2.0.0.dmg": "mac_dmg",
  "My App-2.0.0-arm64.dmg": "mac_dmg_arm64",
  "My App-2.0.0-mac.zip": "mac_zip",
  "My App-2.0.0-arm64-mac.zip": "mac_zip_arm64",
  "My App-2.0.0.AppImage": "linux_appimage",
  "My App-2.0.0-arm64.AppImage": "linux_appimage_arm64",
};
const leftBeside = [
  "My App Setup 2.0.0.exe.blockmap",
  "My App-2.0.0-armv7l.AppImage",
  "My App-2.0.0-win.7z",
  "builder-debug.yml",
  "latest-linux-arm64.yml",
  "latest-mac.yml",
  "latest.yml",
  "mac-arm64/My App.app/Contents/Info.plist",
  "my-app_2.0.0_amd64.snap",
  "win-unpacked/My App.exe",
];

test("a folder that electron-builder left is published as it is, and what is no build is passed over", async () => {
  await using stage = await openStage();
  const beside = Object.fromEntries(leftBeside.map((name) => [name, "left by the maker"]));
  const folder = await folderWith({ ...electronBuilder, ...beside, ".DS_Store": "", "notes.md": notes });
  const publish = (version: string, ...more: string[]) =>
    operate(stage, "releases", "publish", version, folder, "--reason", "it is done", ...more);
  const passed = leftBeside.map((name) => name.replace(/\/.*/, "/"));
  const told = await publish("2.0.0");
  expect(told).toMatchObject({ code: 0, err: "" });
  expect(told.out).toContain(`Passed over, as no builds: ${passed.join(", ")}.`);
  expect(JSON.parse((await publish("2.0.1", "--json")).out).passed_over).toEqual(passed);
  const { builds } = await about(stage);
  for (const [name, platform] of Object.entries(electronBuilder))
    expect(builds[platform]).toMatchObject({ name: name.replaceAll(" ", "-"), size: platform.length });
  expect(platforms.filter((platform) => builds[platform]).toSorted()).toEqual(
    platforms.filter((platform) => Object.values(electronBuilder).includes(platform)).toSorted(),
  );
});

test("the highest version that isn't withdrawn is the current one", async () => {
  await using stage = await openStage();
  for (const version of ["1.9.0", "1.10.0", "1.2.0"]) await release(stage, version);
  await release(stage, "2.0.0-beta.1", { channel: "beta" });
  const current = async () => (await about(stage))?.version ?? null;
  expect(await current()).toBe("1.10.0");
  for (const [gone, next] of [
    ["1.10.0", "1.9.0"],
    ["1.9.0", "1.2.0"],
    ["1.2.0", null],
  ] as const) {
    expect(await operate(stage, "releases", "yank", gone, "--reason", "it broke")).toMatchObject({ code: 0 });
    expect(await current()).toBe(next);
    const titles = (await stage.person().get("/api/version/logs")).body.data.map(
      ({ title }: { title: string }) => title,
    );
    expect(titles).not.toContain(`Version ${gone}`);
  }
  const again = await operate(stage, "releases", "yank", "1.2.0", "--reason", "again");
  expect(again).toMatchObject({ code: 1, err: expect.stringContaining("no such release") });
});

test("a version is published once, even by two operators at the same moment, and never again after it is withdrawn", async () => {
  await using stage = await openStage();
  const both = await Promise.allSettled([release(stage, "1.0.0"), release(stage, "1.0.0")]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  await operate(stage, "releases", "yank", "1.0.0", "--reason", "it broke");
  expect(release(stage, "1.0.0")).rejects.toMatchObject({ code: "release_exists" });
});

test("a second build of a version is refused, since no application would take it for newer", async () => {
  await using stage = await openStage();
  await release(stage, "1.0.0+1");
  const again = (version: string) => release(stage, version).catch((error: unknown) => error);
  for (const version of ["1.0.0", "1.0.0+1", "1.0.0+2"])
    expect(await again(version)).toMatchObject({ code: "release_exists" });
  await release(stage, "1.0.1");
  expect(await again("1.0.1+1")).toMatchObject({ code: "release_exists" });
  await release(stage, "1.0.1-beta.1", { channel: "beta" });
});

test("an invalid release is refused in a sentence, and nothing of it is published", async () => {
  await using stage = await openStage();
  const good = { "Wisp-Setup.exe": "windows", "notes.md": notes };
  const cases: [Record<string, string>, string[], string][] = [
    [{ ...good, "Wisp.zip": "?" }, ["1.0.0"], "Wisp.zip is not a known kind of build"],
    [
      { ...good, "Other Setup.exe": "?" },
      ["1.0.0"],
      "two builds for win_exe: Other-Setup.exe and Wisp-Setup.exe",
    ],
    [{ "latest.yml": "?", "notes.md": notes }, ["1.0.0"], "has no build, only latest.yml"],
    [{ ...good, "Wisp Setup (1).dmg": "?" }, ["1.0.0"], "letters, digits"],
    [{ ...good, "Wisp.dmg": "" }, ["1.0.0"], "Wisp.dmg is empty"],
    [good, ["1.0.0", "--notes", "/nowhere/notes.md"], "/nowhere/notes.md can't be read"],
    [{ "notes.md": notes }, ["1.0.0"], "at least one build"],
    [good, ["v1"], "v1 is not a version"],
    [good, ["1.0.0", "--minimum", "2.0.0"], "not newer than the release"],
    [good, ["1.0.0", "--keep", "rpc"], "no build for rpc to keep"],
    [{ ...good, "Wisp-Setup.exe.sig": "no signature" }, ["1.0.0"], "no signature that fits"],
  ];
  for (const [files, [version = "", ...more], sentence] of cases) {
    const folder = await folderWith(files);
    const refused = await operate(
      stage,
      "releases",
      "publish",
      version,
      folder,
      "--reason",
      "a story",
      ...more,
    );
    expect(refused).toMatchObject({ code: 1, out: "", err: expect.stringContaining(sentence) });
  }
  expect(await about(stage)).toBeNull();
});

test("builds can be kept from the previous release", async () => {
  await using stage = await openStage();
  await release(stage, "1.0.0");
  await release(stage, "1.1.0", { only: ["win_exe"], keep: ["free", "rpc"] });
  expect((await stage.person().get("/api/download/rpc")).body).toBe(bytesOf("rpc", "1.0.0"));
  const { builds } = await about(stage);
  expect(platforms.filter((platform) => builds[platform])).toEqual(["win_exe", "free", "rpc"]);
});

test("news items appear in the changelog and can be edited and removed; a release's notes can be edited", async () => {
  await using stage = await openStage();
  await release(stage, "1.0.0");
  stage.advance(day);
  const reason = ["--reason", "people ask"];
  const added = await operate(
    stage,
    "changelog",
    "add",
    "--title",
    "Holidays",
    "--content",
    "a\nb",
    "--json",
    ...reason,
  );
  const { id } = JSON.parse(added.out);
  const logs = async () => (await stage.person().get("/api/version/logs")).body.data;
  expect((await logs()).map(({ title }: { title: string }) => title).toSorted()).toEqual([
    "Holidays",
    "Version 1.0.0",
  ]);
  await operate(stage, "changelog", "edit", id, "--title", "Closed", ...reason);
  await operate(stage, "changelog", "edit", "1.0.0", "--content", "Better words.", ...reason);
  expect(
    (await logs()).toSorted((a: { title: string }, b: { title: string }) => a.title.localeCompare(b.title)),
  ).toMatchObject([
    { title: "Closed", content: "a\nb" },
    { title: "Version 1.0.0", content: "Better words." },
  ]);
  await operate(stage, "changelog", "remove", id, ...reason);
  expect(await logs()).toHaveLength(1);
  expect((await operate(stage, "changelog", "remove", id, ...reason)).code).toBe(1);
});

testNeeding("openssl")("openssl accepts checksums and signatures, and rejects a changed file", async () => {
  await using stage = await openStage();
  await release(stage, "1.0.0");
  const { builds, signing_key: key } = await about(stage);
  const at = (name: string) => join(scratch, name);
  const verify = async (bytes: string) => {
    await Bun.write(at("file"), bytes);
    await Bun.write(at("key.pem"), key);
    await Bun.write(at("file.sig"), Buffer.from(builds.rpc.signature, "base64"));
    await Bun.$`openssl dgst -sha512 -binary -out ${at("digest")} ${at("file")}`.quiet();
    expect(Buffer.from(await Bun.file(at("digest")).bytes()).toString("base64") === builds.rpc.sha512).toBe(
      bytes === bytesOf("rpc", "1.0.0"),
    );
    return Bun.$`openssl pkeyutl -verify -rawin -pubin -inkey ${at("key.pem")} -in ${at("digest")} -sigfile ${at("file.sig")}`
      .quiet()
      .nothrow();
  };
  const downloaded: string = (await stage.person().get("/api/download/rpc")).body;
  expect((await verify(downloaded)).exitCode).toBe(0);
  expect((await verify(`${downloaded} `)).exitCode).not.toBe(0);
});

testNeeding("openssl")(
  "a publisher can sign elsewhere with their own key, and only what it signed is published",
  async () => {
    await using stage = await openStage();
    const folder = await folderWith({ "Wisp-Setup.exe": "windows", "notes.md": notes });
    const [secret, open] = [join(scratch, "own.pem"), join(scratch, "own.pub.pem")];
    await Bun.$`openssl genpkey -algorithm ed25519 -out ${secret} && openssl pkey -in ${secret} -pubout -out ${open}`.quiet();
    const publish = () =>
      operate(stage, "releases", "publish", "1.0.0", folder, "--reason", "a story", "--public-key", open);
    expect(await publish()).toMatchObject({
      code: 1,
      err: expect.stringContaining("no signature that fits"),
    });
    expect((await operate(stage, "builds", "sign", folder, "--key", secret)).code).toBe(0);
    expect(await publish()).toMatchObject({ code: 0 });
    expect((await about(stage)).signing_key.trim()).toBe((await Bun.file(open).text()).trim());
  },
);

test("the command works while the shop is writing, and neither loses anything", async () => {
  await using stage = await openStage({ env: { LIMITS: "redeem=1000/60" } });
  const folder = await folderWith({ "Wisp-Setup.exe": "windows", "notes.md": notes });
  let writing = true;
  let written = 0;
  const busy = (async () => {
    while (writing) {
      await stage.handOut();
      written += 1;
    }
  })();
  const versions = Array.from({ length: 4 }, (_, at) => `1.0.${at}`);
  const published = await Promise.all(
    versions.map((version) => operate(stage, "releases", "publish", version, folder, "--reason", "a story")),
  );
  writing = false;
  await busy;
  expect(published.map(({ code, err }) => [code, err])).toEqual(versions.map(() => [0, ""]));
  const count = async (table: string) =>
    (await stage.ctx.store.client.execute(`SELECT count(*) AS n FROM ${table}`)).rows[0]?.["n"];
  expect(await count("releases")).toBe(versions.length);
  expect(await count("licences")).toBe(written);
});

test("the command never creates a database", async () => {
  const nowhere = join(scratch, "nowhere");
  const refused = await operate({ dataDir: nowhere }, "releases", "list");
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("There is no shop in") });
  await mkdir(nowhere);
  await Bun.write(join(nowhere, ".created"), "");
  expect((await operate({ dataDir: nowhere }, "releases", "list")).err).toMatch(
    /^The database .*shop\.db is missing although it was created earlier: restore it, or remove .*\.created /,
  );
  expect(await Bun.file(join(nowhere, "secret.key")).exists()).toBe(false);
});

test("a store keeps a file complete or not at all, and nothing but its own files", async () => {
  const folder = join(scratch, "store");
  await mkdir(folder, { recursive: true });
  const store = createBuildStore({ folder });
  const address = new Bun.CryptoHasher("sha256").update("bytes").digest("hex");
  expect(store.keep(address, new Blob(["other"]))).rejects.toThrow();
  expect(await store.find(address)).toBeNull();
  await store.keep(address, new Blob(["bytes"]));
  await store.keep(address, new Blob(["bytes"]));
  expect((await store.find(address))?.size).toBe(5);
  expect([...new Bun.Glob("**").scanSync({ cwd: folder, dot: true })]).toEqual([address]);
  await Bun.write(join(scratch, "outside"), "secret");
  const linked = "0".repeat(64);
  await symlink(join(scratch, "outside"), join(folder, linked));
  for (const wrong of [linked, "../outside", "", ".", address.toUpperCase(), `${address}/`, "a".repeat(64)]) {
    expect(await store.find(wrong)).toBeNull();
  }
});
