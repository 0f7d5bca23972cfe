import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SignJWT } from "jose";
import { createLicence, type Keeper, type Options, type Verdict } from "@/client/client";
import { day, minute } from "@/contract/time";
import { signingKey } from "@/core/signing";
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

test("it activates, validates and deactivates, and reports the verdict each time", async () => {
  await using stage = await openStage();
  const { licence } = await application(stage);
  expect(summary(await licence.check())).toBe("NOT_ACTIVATED");
  expect(await licence.activate(machine)).toMatchObject({
    code: "VALID",
    online: true,
    grace: false,
    type: "premium",
    expiresAt: null,
  });
  expect(summary(await licence.check())).toEqual({ online: true, grace: false });
  expect(summary(await licence.checkOffline())).toEqual({ online: false, grace: false });
  expect(await licence.deactivate()).toBe(true);
  expect(summary(await licence.checkOffline())).toBe("no_token");
  expect(summary(await licence.check())).toBe("NOT_ACTIVATED");
});

test("offline a token lasts seven days plus fourteen of grace, and then is worthless", async () => {
  await using stage = await openStage();
  const { licence, world } = await application(stage);
  const begun = await licence.activate(machine);
  if (begun.code !== "VALID") throw new Error(begun.code);
  expect((begun.offlineUntil.getTime() - Date.now()) / day).toBeCloseTo(21, 1);
  world.cable = false;
  const course: [days: number, expected: ReturnType<typeof summary>][] = [
    [0, { online: false, grace: false }],
    [6.99, { online: false, grace: false }],
    [7.01, { online: false, grace: true }],
    [20.99, { online: false, grace: true }],
    [21.01, "ended"],
  ];
  for (const [days, expected] of course) {
    world.ahead = days * day;
    expect([days, summary(await licence.check())]).toEqual([days, expected]);
  }
  // back on the network it works as before
  world.cable = true;
  stage.advance(21.01 * day);
  expect(summary(await licence.check())).toEqual({ online: true, grace: false });
});

test("setting the clock back is detected, by a little or a lot", async () => {
  await using stage = await openStage();
  const { licence, world } = await application(stage);
  await licence.activate(machine);
  world.cable = false;
  world.ahead = -minute;
  expect(summary(await licence.check())).toEqual({ online: false, grace: false });
  world.ahead = -day;
  expect(summary(await licence.check())).toBe("clock");
  // seen on the twentieth day, then set back to the second
  world.ahead = 20 * day;
  expect(summary(await licence.check())).toEqual({ online: false, grace: true });
  world.ahead = 2 * day;
  expect(summary(await licence.check())).toBe("clock");
});

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
  for (const altered of [
    `${header}.${forged}.${signature}`,
    `${unsigned}.${payload}.`,
    `${unsigned}.${payload}.${signature}`,
    `${header}.${payload}`,
    `${header}.${payload}.${signature}.${signature}`,
    `${header}.${payload}.!`,
    "nonsense",
  ]) {
    expect([altered, await seen({ token: altered })]).toEqual([altered, "altered"]);
  }
  for (let at = header.length + 1; at < token.length; at += 7) {
    if (token[at] === ".") continue;
    // the last letter of a part may hold bits that don't count
    if (at === token.length - 1 || at === header.length + payload.length) continue;
    const letter = token[at] === "A" ? "B" : "A";
    expect(await seen({ token: token.slice(0, at) + letter + token.slice(at + 1) })).toBe("altered");
  }
  expect(await seen({ keys: [] })).toBe("unknown_key");
  expect(await seen({}, createLicence({ ...options, hwid: "another-machine" }))).toBe("other_device");
  const { publicKey } = await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"]);
  const foreign = await crypto.subtle.exportKey("jwk", publicKey);
  expect(await seen({ keys: [{ ...keys[0], x: foreign.x }] })).toBe("altered");
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
  expect(await seen({ token: elsewhere })).toBe("altered");
  const here = await new SignJWT(claims).setProtectedHeader(protectedHeader).sign(privateKey);
  expect(await seen({ token: here })).toEqual({ online: false, grace: false });
});

test("an outage is never treated as a refusal", async () => {
  await using stage = await openStage();
  const failing = (status: number, body: string) => () => Promise.resolve(new Response(body, { status }));
  const { licence, options } = await application(stage);
  await licence.activate(machine);
  for (const fetch of [
    failing(500, '{"status":500,"code":"internal","data":"x"}'),
    failing(503, '{"status":503,"code":"unavailable","data":"x"}'),
    failing(429, '{"status":429,"code":"RATE_LIMITED","data":"x"}'),
    failing(404, "<html>"),
    failing(200, "<html>a hotel's page</html>"),
    failing(200, "null"),
    failing(200, '{"code":"VALID"}'),
    failing(200, '{"code":"VALID","data":{"token":7}}'),
    failing(200, '{"code":"VALID","data":{"token":"made up"}}'),
    () => Promise.reject(new TypeError("no network")),
  ]) {
    const result = await createLicence({ ...options, fetch }).check();
    expect(result.code).toBeOneOf(["VALID", "UNVERIFIED"]);
    if (result.code === "VALID") expect(result.online).toBe(false);
    // and what is stored is still there
    expect(summary(await licence.checkOffline())).toEqual({ online: false, grace: false });
  }
});

test("going offline does not keep a licence that the shop has revoked", async () => {
  await using stage = await openStage();
  const { licence, world } = await application(stage);
  await licence.activate(machine);
  await stage.ctx.store.client.execute("UPDATE licences SET suspended_at = 1");
  expect(await licence.check()).toMatchObject({ code: "REVOKED", message: expect.any(String) });
  world.cable = false;
  expect(summary(await licence.check())).toBe("no_token");
});

test("being offline does not extend a licence", async () => {
  await using stage = await openStage();
  const { licence, world } = await application(stage, {}, 2);
  expect(await licence.activate(machine)).toMatchObject({ expiresAt: expect.any(Date) });
  world.cable = false;
  world.ahead = 1.99 * day;
  expect(summary(await licence.check())).toEqual({ online: false, grace: false });
  world.ahead = 2.01 * day;
  expect(summary(await licence.check())).toBe("ended");
});

test("it finds updates with absolute URLs, and learns when it must update", async () => {
  await using stage = await openStage();
  const { licence, options, token } = await application(stage);
  expect(await licence.update("linux")).toBeNull();
  await release(stage, "1.0.0");
  await release(stage, "2.0.0", { minimumVersion: "1.5.0" });
  const update = await licence.update("linux");
  expect(update).toMatchObject({ version: "2.0.0", newer: true, required: true });
  const file = await fetch(update?.files[0]?.url ?? "", { headers: { authorization: `Bearer ${token}` } });
  expect(file.status).toBe(200);
  expect(await licence.activate(machine)).toMatchObject({ code: "UPDATE_REQUIRED", minimumVersion: "1.5.0" });
  expect((await createLicence({ ...options, version: "2.0.0" }).activate(machine)).code).toBe("VALID");
});

test("the example runs in node and in Bun", async () => {
  await using stage = await openStage();
  await release(stage, "1.2.0");
  const { token } = await application(stage);
  const built = await Bun.build({
    entrypoints: [join(root, "src/client/example.ts")],
    target: "node",
    outdir: scratch,
  });
  expect(built.success).toBe(true);
  const programs = [[process.execPath, join(root, "src/client/example.ts")]];
  if (Bun.which("node")) programs.push(["node", join(scratch, "example.js")]);
  for (const program of programs) {
    // both run as the same machine, so that the second uses the first one's binding
    const env = { PATH: process.env["PATH"] ?? "", HOME: join(scratch, "home") };
    const { out, code } = await runProcess([...program, stage.url.href, token], { env });
    expect([program[0], code]).toEqual([program[0], 0]);
    expect(out).toContain("online: true");
    expect(out).toContain("Version 1.2.0 is out");
  }
});
