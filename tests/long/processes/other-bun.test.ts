/** A release on another Bun than it was tested with: what runs, what refuses, and the message. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import manifest from "../../../package.json";
import { freePort } from "../../support/shop/free-port";
import { shareSite } from "../../support/shop/shared-site";
import { eventually } from "../../support/shop/stage";

const root = join(import.meta.dir, "../../..");
const [major = "", minor = ""] = Bun.version.split(".");
/** What the release in the folder was tested with, so that the Bun that runs this is another one. */
const tested = { patchApart: `${major}.${minor}.999`, minorApart: `${major}.${Number(minor) + 1}.0` };

const scratch = await mkdtemp(join(tmpdir(), "latchkey-bun-"));
const children: Bun.Subprocess[] = [];
beforeAll(async () => {
  for (const version of Object.values(tested)) await installed(version);
  await mkdir(join(scratch, "bin"));
  await symlink(process.execPath, join(scratch, "bin/bun"));
});
afterAll(async () => {
  for (const child of children) {
    child.kill("SIGKILL");
    await child.exited;
  }
  await rm(scratch, { recursive: true, force: true });
});

/** A release as `bun install --production` leaves it: without a Bun of its own. */
async function installed(version: string) {
  const folder = join(scratch, version);
  for (const name of ["src", "bot", "drizzle", "public", "tsconfig.json", "bunfig.toml", "bun.lock"]) {
    await cp(join(root, name), join(folder, name), { recursive: true });
  }
  const modules = join(root, "node_modules");
  await mkdir(join(folder, "node_modules"));
  const others = (await readdir(modules)).filter((name) => !["bun", "@oven", ".bin"].includes(name));
  for (const name of others) await symlink(join(modules, name), join(folder, "node_modules", name));
  const release = { ...manifest, devDependencies: { ...manifest.devDependencies, bun: version } };
  await Bun.write(join(folder, "package.json"), JSON.stringify(release));
}

const settings = (name: string, more: Record<string, string> = {}) => ({
  PATH: `${join(scratch, "bin")}:${process.env["PATH"] ?? ""}`,
  NODE_ENV: "production",
  DATA_DIR: join(scratch, name),
  PUBLIC_URL: "http://localhost:3000",
  SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
  STRIPE_SECRET_KEY: "sk_test_demo",
  STRIPE_PUBLISHABLE_KEY: "pk_test_demo",
  STRIPE_WEBHOOK_SECRET: "whsec_demo",
  // nothing listens there
  STRIPE_API_URL: "http://127.0.0.1:9",
  SMTP_URL: "smtp://127.0.0.1:9",
  MAIL_FROM: "shop@example.com",
  DISCORD: "off",
  ...more,
});
type Env = ReturnType<typeof settings>;

function start(version: string, env: Env, command: string[]) {
  const child = Bun.spawn(command, {
    cwd: join(scratch, version),
    env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  children.push(child);
  const [out, err] = [new Response(child.stdout).text(), new Response(child.stderr).text()];
  return { child, ended: async () => ({ code: await child.exited, out: await out, err: await err }) };
}

/** As the manual says it: through package.json's script, whatever Bun is on the path. */
const shop = (version: string, env: Env, ...args: string[]) =>
  start(version, env, ["bun", "run", "--silent", "shop", ...args]).ended();

const warning = `${process.execPath} is Bun ${Bun.version}; this shop was tested with ${tested.patchApart}.`;
const refusal = `This shop needs Bun ${tested.minorApart}, and ${process.execPath} is Bun ${Bun.version}. Run \`bun x bun@${tested.minorApart} install --frozen-lockfile\` in ${join(scratch, tested.minorApart)} and use its node_modules/.bin/bun, or install Bun ${tested.minorApart} from https://github.com/oven-sh/bun/releases/tag/bun-v${tested.minorApart}.`;

/** A shop that sells until the test ends it. */
async function selling(version: string, name: string) {
  const port = String(await freePort());
  const env = settings(name, { PORT: port });
  await shareSite(env.DATA_DIR);
  const started = start(version, env, ["bun", "src/main.ts"]);
  const status = () =>
    fetch(`http://127.0.0.1:${port}/api/ready`).then(
      (answer) => answer.status,
      () => 0,
    );
  await eventually(
    async () => (started.child.exitCode === null ? await status() : 200),
    (found) => found === 200,
  );
  const stop = () => {
    started.child.kill("SIGTERM");
    return started.ended();
  };
  return { env, stop };
}

test("a patch release apart, the shop sells and every command works, each with one warning", async () => {
  const { env, stop } = await selling(tested.patchApart, "patch");
  const issued = await shop(tested.patchApart, env, "licences", "issue", "--reason", "a try", "--json");
  expect(issued).toMatchObject({ code: 0, err: `${warning}\n` });
  expect(JSON.parse(issued.out)).toBeObject();
  const doctor = await shop(tested.patchApart, env, "doctor", "--json");
  expect(doctor.err).toBe(`${warning}\n`);
  expect(JSON.parse(doctor.out)).toContainEqual({ what: "Bun", state: "warning", sentence: warning });
  const { code, out, err } = await stop();
  expect({ code, err }).toEqual({ code: 0, err: "" });
  const warnings = out.split("\n").filter((line) => line.includes(warning));
  expect(warnings.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { level: "warn", reason: warning },
  ]);
});

test("a minor release apart, the start and most commands say which Bun is needed, which runs, and how to get it", async () => {
  const env = settings("minor", { PORT: String(await freePort()) });
  const started = start(tested.minorApart, env, ["bun", "src/main.ts"]);
  expect(await started.ended()).toEqual({ code: 1, out: "", err: `${refusal}\n` });
  const refused = await shop(tested.minorApart, env, "licences", "issue", "--reason", "a try");
  expect(refused).toEqual({ code: 1, out: "", err: `${refusal}\n` });
  const inJson = await shop(tested.minorApart, env, "stats", "--json");
  expect({ code: inJson.code, ...JSON.parse(inJson.err) }).toEqual({
    code: 1,
    error: { code: "configuration", sentence: refusal },
  });
});

test("a minor release apart, what repairs a shop works, with a warning", async () => {
  const { env, stop } = await selling(tested.patchApart, "repaired");
  const ask = (...args: string[]) => shop(tested.minorApart, env, ...args);
  const doctor = await ask("doctor", "--json");
  expect(doctor).toMatchObject({ code: 3, err: `${refusal}\n` });
  expect(JSON.parse(doctor.out)).toContainEqual({ what: "Bun", state: "wrong", sentence: refusal });
  const backup = join(scratch, "backup");
  expect(await ask("backup", "--to", backup)).toMatchObject({ code: 0, err: `${refusal}\n` });
  await stop();
  const elsewhere = join(scratch, "elsewhere.db");
  expect(await ask("move", "--to", elsewhere, "--reason", "a try")).toMatchObject({
    code: 0,
    err: `${refusal}\n`,
  });
  expect(await ask("take-over", "--reason", "a try")).toMatchObject({ code: 0, err: `${refusal}\n` });
  const restored = { ...env, DATA_DIR: join(scratch, "restored") };
  expect(
    await shop(tested.minorApart, restored, "restore", backup, "--no-reconcile", "--reason", "a try"),
  ).toMatchObject({ code: 0, err: `${refusal}\n` });
});
