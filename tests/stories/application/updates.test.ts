import { operator } from "@/core/base/actor";
import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { type ClientRequest, request, type RequestOptions } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  CancellationToken,
  configureRequestOptions,
  configureRequestUrl,
  type DownloadOptions,
  HttpExecutor,
} from "builder-util-runtime";
import { setRollout } from "@/domain/releases/publish";
import { bytesOf, release } from "../../support/shop/publish-release";
import { openStage, type Stage } from "../../support/shop/stage";

const scratch = await mkdtemp(join(tmpdir(), "latchkey-updates-"));
afterAll(() => rm(scratch, { recursive: true, force: true }));

/** A licensed customer's token. */
async function licensedHeaders(stage: Stage, name = "ada"): Promise<Record<string, string>> {
  const person = stage.person();
  await person.register(await stage.handOut(), name);
  return { authorization: `Bearer ${(await person.get("/api/user/me")).body.data.api_key}` };
}

/** What a feed or a system is offered. */
async function offeredVersion(
  stage: Stage,
  headers: Record<string, string>,
  what: string,
): Promise<string | null> {
  const answer = await stage.person().get(`/api/app/v1/update/${what}`, headers);
  if (!what.includes(".yml")) return answer.body.data?.version ?? null;
  return answer.status === 200 ? (Bun.YAML.parse(answer.body) as { version: string }).version : null;
}

test("each system is offered its own updates, as a feed and as JSON", async () => {
  await using stage = await openStage();
  const headers = await licensedHeaders(stage);
  expect(await offeredVersion(stage, headers, "linux")).toBeNull();
  const missing = await stage.person().get("/api/app/v1/update/latest.yml", headers);
  expect(missing).toMatchObject({ status: 404, body: { code: "build_unknown" } });
  await release(stage, "1.0.0");
  await release(stage, "1.1.0", { only: ["win_exe", "linux_deb"] });
  const feeds = { "latest.yml": "1.1.0", "latest-linux.yml": "1.1.0", "latest-mac.yml": "1.0.0" };
  for (const [feed, version] of Object.entries(feeds))
    expect(await offeredVersion(stage, headers, feed)).toBe(version);
  const get = async (what: string) => (await stage.person().get(`/api/app/v1/update/${what}`, headers)).body;
  expect(await get("mac?version=0.9.0")).toMatchObject({
    status: 200,
    code: "VALID",
    data: {
      version: "1.0.0",
      newer: true,
      required: false,
      files: ["mac_zip", "mac_dmg", "mac_zip_arm64", "mac_dmg_arm64"].map((platform) => ({ platform })),
    },
  });
  expect((await get("linux?version=1.1.0")).data).toMatchObject({
    newer: false,
    files: [{ platform: "linux_deb" }],
  });
  const [file] = (await get("linux")).data.files;
  const whole = await stage.person().get(`/api/app/v1/update/${file.url}`, headers);
  expect(whole.body).toBe(bytesOf("linux_deb", "1.1.0"));
  const base = "/api/app/v1/update/files/";
  for (const wrong of [
    "1.1.0/linux_deb/other.deb",
    "1.2.0/linux_deb/wisp.deb",
    "1.1.0/mac_dmg/Wisp.dmg",
    "1.1.0/linux_deb/wisp.deb.blockmap",
  ]) {
    expect([wrong, (await stage.person().get(base + wrong, headers)).status]).toEqual([wrong, 404]);
  }
});

test("a feed is for one architecture where the updater asks so, and otherwise begins with what every computer runs", async () => {
  await using stage = await openStage();
  const headers = await licensedHeaders(stage);
  const kinds = async (feed: string): Promise<string[] | number> => {
    const { status, body } = await stage.person().get(`/api/app/v1/update/${feed}`, headers);
    if (status !== 200) return status;
    const { version, files } = Bun.YAML.parse(body) as { version: string; files: { url: string }[] };
    return [version, ...files.map(({ url }) => url.split("/")[2] ?? "")];
  };
  await release(stage, "1.0.0", { only: ["win_exe", "linux_appimage"] });
  expect(await kinds("latest-linux-arm64.yml")).toBe(404);
  await release(stage, "1.1.0", { only: ["win_exe_arm64", "linux_appimage_arm64", "mac_zip_arm64"] });
  expect(await kinds("latest-linux-arm64.yml")).toEqual(["1.1.0", "linux_appimage_arm64"]);
  expect(await kinds("latest-arm64.yml")).toEqual(["1.1.0", "win_exe_arm64"]);
  expect(await kinds("latest-mac.yml")).toEqual(["1.1.0", "mac_zip_arm64"]);
  // what a computer with x64 can't install isn't an update for it
  expect(await kinds("latest.yml")).toEqual(["1.0.0", "win_exe"]);
  expect(await kinds("latest-linux.yml")).toEqual(["1.0.0", "linux_appimage"]);
  await release(stage, "1.2.0");
  expect(await kinds("latest.yml")).toEqual(["1.2.0", "win_exe", "win_exe_arm64"]);
  expect(await kinds("latest-linux.yml")).toEqual(["1.2.0", "linux_appimage", "linux_deb", "linux_rpm"]);
  expect(await kinds("beta-linux-arm64.yml")).toEqual([
    "1.2.0",
    "linux_appimage_arm64",
    "linux_deb_arm64",
    "linux_rpm_arm64",
  ]);
});

test("any name of a feed is a feed or not found", async () => {
  await using stage = await openStage();
  const headers = await licensedHeaders(stage);
  await release(stage, "1.0.0");
  const names =
    "rc stable next-mac latest-linux-arm latest-linux-ia32 latest-win Latest latest.yml latest-mac-arm64-x 1.x latest- -mac latest%20mac b%C3%A9ta";
  for (const name of ["", "x".repeat(100), ...names.split(" ")]) {
    const answer = await stage.person().get(`/api/app/v1/update/${name}.yml?noCache=1`, headers);
    expect([name, answer.status, answer.body.code]).toEqual([name, 404, "build_unknown"]);
  }
  const without = await stage.person().get("/api/app/v1/update/rc.yml");
  expect([without.status, without.body.code]).toEqual([401, "NO_LICENSE"]);
});

test("a channel includes the releases of the more stable ones", async () => {
  await using stage = await openStage();
  const headers = await licensedHeaders(stage);
  await release(stage, "2.0.0");
  await release(stage, "2.1.0-beta.1", { channel: "beta" });
  await release(stage, "2.2.0-alpha.1", { channel: "alpha" });
  const all = async () =>
    Promise.all(
      ["latest.yml", "beta.yml", "alpha.yml", "windows?channel=beta"].map((what) =>
        offeredVersion(stage, headers, what),
      ),
    );
  expect(await all()).toEqual(["2.0.0", "2.1.0-beta.1", "2.2.0-alpha.1", "2.1.0-beta.1"]);
  await release(stage, "2.3.0");
  expect(await all()).toEqual(["2.3.0", "2.3.0", "2.3.0", "2.3.0"]);
});

test("a rollout reaches its share of the devices, always the same ones, and finally all", async () => {
  await using stage = await openStage({ env: { LIMITS: "register-success=1000/3600,app=1000/60" } });
  await release(stage, "1.0.0");
  await release(stage, "1.1.0", { rollout: 30 });
  const headers = await licensedHeaders(stage);
  const { client } = stage.ctx.store;
  const device = (at: number) =>
    client.batch([
      "DELETE FROM devices",
      {
        sql: "INSERT INTO devices (account_id, computer_hash, label, os, version, first_seen_at, last_seen_at) SELECT id, ?, 'x', 'x', 'x', 0, 0 FROM accounts",
        args: [`hash of device ${at}`],
      },
    ]);
  const lucky = async (): Promise<Set<number>> => {
    const found = new Set<number>();
    for (let at = 0; at < 200; at += 1) {
      await device(at);
      if ((await offeredVersion(stage, headers, "latest.yml")) === "1.1.0") found.add(at);
    }
    return found;
  };
  const by = { actor: operator, reason: "a story" };
  const first = await lucky();
  console.log(`a rollout of 30 % reached ${first.size} of 200 devices`);
  // five standard deviations of 200 draws
  expect(Math.abs(first.size - 60)).toBeLessThan(33);
  expect(await lucky()).toEqual(first);
  await setRollout(stage.ctx, "1.1.0", 60, by);
  const second = await lucky();
  expect(first.isSubsetOf(second)).toBe(true);
  await setRollout(stage.ctx, "1.1.0", 100, by);
  expect((await lucky()).size).toBe(200);
  await setRollout(stage.ctx, "1.1.0", 0, by);
  expect((await lucky()).size).toBe(0);
});

test("a rollout does not hold back devices below the minimum version", async () => {
  await using stage = await openStage();
  const headers = await licensedHeaders(stage);
  await release(stage, "1.0.0");
  await release(stage, "2.0.0", { rollout: 0, minimumVersion: "1.5.0" });
  expect(await offeredVersion(stage, headers, "windows?version=1.6.0")).toBe("1.0.0");
  const old = await stage.person().get("/api/app/v1/update/windows?version=1.0.0", headers);
  expect(old.body.data).toMatchObject({ version: "2.0.0", newer: true, required: true });
});

/** electron-updater's executor over node's http, where Electron would use its own network. */
class NodeExecutor extends HttpExecutor<ClientRequest> {
  createRequest(options: RequestOptions, callback: (response: unknown) => void) {
    return request(options, callback);
  }

  /** Like electron-updater's own executor: the bytes pass through its check on their way to disk. */
  download(url: URL, destination: string, options: DownloadOptions): Promise<string> {
    return options.cancellationToken.createPromise((resolve, reject, onCancel) => {
      const wanted = configureRequestOptions({ headers: options.headers ?? {} });
      configureRequestUrl(url, wanted);
      const callback = (error: Error | null) => (error ? reject(error) : resolve(destination));
      this.doDownload(wanted, { destination, options, onCancel, callback, responseHandler: null }, 0);
    });
  }
}

type Provider = {
  setRequestHeaders(headers: Record<string, string>): void;
  getLatestVersion(): Promise<{ version: string; releaseNotes: string; stagingPercentage?: number }>;
  resolveFiles(info: object): { url: URL; info: { sha512: string; size: number } }[];
};

/** electron-updater itself, set up as an application on this system would. */
function updater(stage: Stage, system: { platform: string; channel?: string }): Provider {
  const load = createRequire(import.meta.url);
  const { GenericProvider } = load("electron-updater/out/providers/GenericProvider") as {
    GenericProvider: new (...args: unknown[]) => Provider;
  };
  return new GenericProvider(
    { provider: "generic", url: new URL("/api/app/v1/update", stage.url).href },
    { channel: system.channel ?? null, isAddNoCacheQuery: true },
    { isUseMultipleRangeRequest: true, platform: system.platform, executor: new NodeExecutor() },
  );
}

/** The updater's own way of playing another computer; it looks when it asks for a feed. */
function runningOn(architecture: string) {
  process.env["TEST_UPDATER_ARCH"] = architecture;
  return { [Symbol.dispose]: () => void delete process.env["TEST_UPDATER_ARCH"] };
}

test("electron-updater reads the feeds, downloads the files and verifies them", async () => {
  await using stage = await openStage();
  const headers = await licensedHeaders(stage);
  await release(stage, "3.0.0", { title: "Third", content: 'Notes: "quoted"\n- # and more' });
  await release(stage, "3.1.0-beta.1", { channel: "beta" });
  const cases = [
    { platform: "win32", version: "3.0.0", build: "win_exe" },
    { platform: "darwin", version: "3.0.0", build: "mac_zip" },
    { platform: "linux", version: "3.0.0", build: "linux_appimage" },
    { platform: "linux", architecture: "arm64", version: "3.0.0", build: "linux_appimage_arm64" },
    { platform: "win32", channel: "beta", version: "3.1.0-beta.1", build: "win_exe" },
  ] as const;
  for (const { version, build, ...system } of cases) {
    const provider = updater(stage, system);
    provider.setRequestHeaders(headers);
    using _ = runningOn("architecture" in system ? system.architecture : "x64");
    const info = await provider.getLatestVersion();
    expect(info.version).toBe(version);
    if (version === "3.0.0") expect(info.releaseNotes).toBe('Notes: "quoted"\n- # and more');
    const [file] = provider.resolveFiles(info);
    if (!file) throw new Error("the feed has no file");
    const to = join(scratch, `${build}-${version}`);
    const fetchTo = (sha512: string) =>
      new NodeExecutor().download(file.url, to, {
        headers,
        sha512,
        cancellationToken: new CancellationToken(),
      });
    await fetchTo(file.info.sha512);
    expect(await Bun.file(to).text()).toBe(bytesOf(build, version));
    const altered = Buffer.from(file.info.sha512, "base64").fill(0, 0, 1).toString("base64");
    expect(fetchTo(altered)).rejects.toThrow(/checksum mismatch/);
  }
});
