import { afterAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SignJWT } from "jose";
import { createLicence, type Keeper, type Options, type Verdict } from "@/client/client";
import { fileKeeper } from "@/client/file-keeper";
import { day } from "@/contract/vocabulary/time";
import { signingKey } from "@/core/secrets/signing";
import { levels } from "@/domain/schema/levels";
import { openSignInShop } from "../../support/client/sign-in-shop";
import { Person } from "../../support/people/person";
import { freePort } from "../../support/shop/free-port";
import { release } from "../../support/shop/publish-release";
import { openStage, type Stage } from "../../support/shop/stage";
import { runProcess } from "../../support/operator/run-process";

const root = join(import.meta.dir, "../../..");
const scratch = await mkdtemp(join(tmpdir(), "latchkey-client-"));
afterAll(() => rm(scratch, { recursive: true, force: true }));

const machine = { label: "Study", os: "Linux x64" };

type Memory = Keeper & { text: string | null };
const memory = (): Memory => {
  const kept: Memory = {
    text: null,
    read: async () => kept.text,
    write: async (text) => {
      kept.text = text;
    },
  };
  return kept;
};

/** A licensed customer's application, with its own clock and a network that can be cut. */
async function application(stage: Stage, changed: Partial<Options> = {}, days: number | null = null) {
  const person = stage.person();
  await person.register(await stage.handOut(days), `user-${crypto.randomUUID().slice(0, 8)}`);
  const token: string = (await person.get("/api/user/me")).body.data.api_key;
  const world = { cable: true, ahead: 0, asked: 0 };
  const keeper = memory();
  const options: Options = {
    shop: stage.url.href,
    token,
    hwid: "the-customer-s-machine",
    version: "1.0.0",
    keeper,
    now: () => Date.now() + world.ahead,
    fetch: (url, init) => {
      world.asked += 1;
      return world.cable ? fetch(url, init) : Promise.reject(new TypeError("no network"));
    },
    ...changed,
  };
  return { person, token, world, keeper, options, licence: createLicence(options) };
}

const summary = (result: Verdict) =>
  result.code === "VALID"
    ? { online: result.online, grace: result.grace }
    : "why" in result
      ? result.why
      : result.code;

test("a token that was changed, copied or signed by another key is worthless", async () => {
  await using stage = await openStage();
  const { licence, keeper, options, world } = await application(stage);
  await licence.activate(machine);
  world.cable = false;
  const { token, keys, latestSeen } = JSON.parse(keeper.text ?? "");
  const seen = async (kept: object, as = licence) => {
    keeper.text = JSON.stringify({ token, keys, latestSeen, ...kept });
    return summary(await as.checkOffline());
  };
  expect(await seen({})).toEqual({ online: false, grace: false });
  const [header, payload, signature] = token.split(".");
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
  const forged = Buffer.from(
    JSON.stringify({ ...claims, exp: claims.exp + 1e9, grace_until: claims.grace_until + 1e9 }),
  ).toString("base64url");
  const unsigned = Buffer.from('{"alg":"none"}').toString("base64url");
  for (const [altered, why] of [
    [`${header}.${forged}.${signature}`, "signature"],
    [`${unsigned}.${payload}.`, "algorithm"],
    [`${unsigned}.${payload}.${signature}`, "algorithm"],
    [`${header}.${payload}`, "malformed"],
    [`${header}.${payload}.${signature}.${signature}`, "malformed"],
    [`${header}.${payload}.!`, "malformed"],
    ["nonsense", "malformed"],
  ] as const) {
    expect([altered, await seen({ token: altered })]).toEqual([altered, why]);
  }
  for (let at = header.length + 1; at < token.length; at += 7) {
    if (token[at] === ".") continue;
    const letter = token[at] === "A" ? "B" : "A";
    const changed = await seen({ token: token.slice(0, at) + letter + token.slice(at + 1) });
    expect(changed).toBeOneOf(["signature", "malformed"]);
  }
  expect(await seen({ keys: [] })).toBe("unknown_key");
  expect(await seen({}, createLicence({ ...options, hwid: "another-machine" }))).toBe("device");
  const { publicKey } = await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"]);
  const foreign = await crypto.subtle.exportKey("jwk", publicKey);
  expect(await seen({ keys: [{ ...keys[0], x: foreign.x }] })).toBe("signature");
  // keys that are built in can't be replaced next to the token
  const pinned = createLicence({ ...options, keys });
  expect(await seen({ keys: [{ ...keys[0], x: foreign.x }] }, pinned)).toEqual({
    online: false,
    grace: false,
  });
  keeper.text = "{";
  expect(summary(await licence.checkOffline())).toBe("no_token");
  // the shop's own signature on a token for somebody else
  const { id, privateKey } = signingKey(stage.ctx.secrets, "app-token");
  const protectedHeader = { alg: "EdDSA", kid: id };
  const elsewhere = await new SignJWT({ ...claims, aud: "another" })
    .setProtectedHeader(protectedHeader)
    .sign(privateKey);
  expect(await seen({ token: elsewhere })).toBe("audience");
  const here = await new SignJWT(claims).setProtectedHeader(protectedHeader).sign(privateKey);
  expect(await seen({ token: here })).toEqual({ online: false, grace: false });
});

test("a file that another instance replaces is read as it was or as it will be", async () => {
  const path = join(scratch, "shared", "licence.json");
  const texts = ["a", "b"].map((letter) => letter.repeat(100_000));
  const [first, second] = texts.map(async (text) => {
    const keeper = fileKeeper(path);
    for (let turn = 0; turn < 100; turn += 1) {
      await keeper.write(text);
      expect(texts).toContain((await keeper.read()) ?? "");
    }
  });
  await Promise.all([first, second]);
  expect(await readdir(join(scratch, "shared"))).toEqual(["licence.json"]);
  // it is away for a moment
  const away = fileKeeper(join(scratch, "away.json"));
  const reading = away.read();
  writeFileSync(join(scratch, "away.json"), "back");
  expect(await reading).toBe("back");
  expect(await fileKeeper(join(scratch, "never.json")).read()).toBeNull();
});

test("a slow write puts back no token that another call has forgotten meanwhile", async () => {
  await using stage = await openStage();
  const kept = memory();
  let slow = false;
  const write = async (text: string) => {
    if (slow) {
      slow = false;
      await Bun.sleep(50);
    }
    return kept.write(text);
  };
  const { licence, world } = await application(stage, { keeper: { read: async () => kept.text, write } });
  await licence.activate(machine);
  world.ahead = day;
  slow = true;
  const [offline, left] = await Promise.all([licence.checkOffline(), licence.deactivate()]);
  expect([offline.code, left]).toEqual(["VALID", true]);
  expect(JSON.parse(kept.text ?? "").token).toBeNull();
  expect(summary(await licence.checkOffline())).toBe("no_token");
});

/** The example as a program of Bun and, where there is one, of node. */
async function examples(): Promise<string[][]> {
  const source = join(root, "src/client/example.ts");
  const built = await Bun.build({ entrypoints: [source], target: "node", outdir: scratch });
  expect(built.success).toBe(true);
  const programs = [[process.execPath, source]];
  if (Bun.which("node")) programs.push(["node", join(scratch, "example.js")]);
  return programs;
}
const envIn = (home: string) => ({ PATH: process.env["PATH"] ?? "", HOME: join(scratch, home) });

test("the example runs in node and in Bun, and says what becomes of it without a network", async () => {
  await using stage = await openStage();
  await release(stage, "1.2.0");
  const { token } = await application(stage);
  for (const program of await examples()) {
    // both run as the same machine, so that the second uses the first one's binding
    const { out, code } = await runProcess([...program, stage.url.href, token], { env: envIn("home") });
    expect([program[0], code]).toEqual([program[0], 0]);
    expect(out).toContain("online: true");
    expect(out).toContain("Version 1.2.0 is out");
    expect(out).toMatch(/in 0 days: VALID with no features, online: false/);
    expect(out).toMatch(/in 8 days: VALID .* Please go online before/);
    expect(out).toMatch(/in 22 days: UNVERIFIED.*ended/);
  }
});

test("the example's export comes and goes with a feature of its level", async () => {
  await using stage = await openStage();
  const { token } = await application(stage);
  const [program = []] = await examples();
  const exports = async (features: string[]) => {
    await stage.ctx.store.db.update(levels).set({ features });
    const { out } = await runProcess([...program, stage.url.href, token], { env: envIn("export") });
    return /^Export: (.*)$/m.exec(out)?.[1];
  };
  expect(await exports([])).toBe("not in this license");
  expect(await exports(["export"])).toBe("ready");
  expect(await exports(["share"])).toBe("not in this license");
});

test("the example signs in through the browser, and says where a shop has no sign-in", async () => {
  await using signIn = openSignInShop();
  const env = { PORT: String(await freePort()), PUBLIC_URL: signIn.url };
  await using stage = await openStage({ env, webhooks: false });
  const person = new Person(() => stage.shop.listening);
  await person.register(await stage.handOut(), "ada");
  const token: string = (await person.get("/api/user/me")).body.data.api_key;
  Object.assign(signIn.state, { interval: 1, polls: ["authorization_pending"], approved: true });
  signIn.state.behind = { url: stage.shop.listening.origin, token };
  const [program = []] = await examples();
  const first = await runProcess([...program, signIn.url], { env: envIn("signed-in") });
  expect(first.out).toContain("check that it shows BCDF-GHJK");
  expect(first.out).toContain("online: true");
  expect(first.out).toContain("ada, Premium until 2028-02-29T23:59:58.000Z, 1 of 3 computers");
  expect(first.code).toBe(0);
  // the second start has what the first one kept
  const second = await runProcess([...program, signIn.url], { env: envIn("signed-in") });
  expect(second.out).not.toContain("BCDF-GHJK");
  expect([second.code, second.out.includes("online: true")]).toEqual([0, true]);
  signIn.state.codeStatus = 404;
  const without = await runProcess([...program, signIn.url], { env: envIn("older") });
  expect(without.out).toContain("This shop has no sign-in for applications");
  expect(without.code).toBe(1);
});
