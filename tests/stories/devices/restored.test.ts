/** What a shop that was restored from a backup says of computers, their tokens, codes and license files. */
import { password } from "../accounts/people";
import { afterAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLicence } from "@/client/client";
import { readConfig } from "@/core/settings/config";
import { createLog } from "@/core/log/log";
import { startShop } from "@/shop";
import { operated, operateWith, settingsOf } from "../../support/operator/run-operator";
import { Person } from "../../support/people/person";
import { openStage, type Stage } from "../../support/shop/stage";
import { codeOf, computer, customerWith, listDevices, remove } from "./computers";
import { ask, decide, grant, showRequest, signIn } from "./signing-in";

const scratch = await mkdtemp(join(tmpdir(), "latchkey-restored-"));
afterAll(() => rm(scratch, { recursive: true, force: true }));

const shown = (name: string) =>
  Buffer.from(
    JSON.stringify({
      hwid_hash: createHash("sha256").update(computer(name).hwid).digest("base64url"),
      label: name,
      os: "Linux x64",
    }),
  ).toString("base64url");

/** The shop on another machine. */
async function restored(stage: Stage, path: string) {
  const env = { ...settingsOf(stage), DATA_DIR: await mkdtemp(join(scratch, "machine-")) };
  const why = ["--reason", "the disk died"];
  const stopped = ["--take-over", "--stopped-at", new Date().toISOString().slice(0, 19)];
  const done = await operateWith(env, "restore", path, "--no-reconcile", ...stopped, ...why);
  expect(done).toMatchObject({ code: 0, err: "" });
  const config = readConfig({ ...env, PORT: "0", TRUSTED_PROXIES: "1" });
  const { stripe, mail } = config;
  if (!stripe || !mail) throw new Error("the stage has Stripe and mail");
  const { now } = stage.ctx;
  return startShop({ ...config, stripe, mail, discord: "off" }, { now, log: createLog("error", () => {}) });
}

type Shop = { at: string | URL; issuers: string[] };

/** The application of src/client on a computer; the shop stands where `shop` says, under the addresses that it had. */
function client(stage: Stage, shop: Shop, name: string) {
  let kept: string | null = null;
  let decided: Promise<unknown> = Promise.resolve();
  const licence = createLicence({
    shop: stage.url.href,
    issuers: shop.issuers,
    hwid: computer(name).hwid,
    version: "1.0.0",
    keeper: {
      read: async () => kept,
      write: async (text) => {
        kept = text;
      },
    },
    now: () => stage.ctx.now().getTime(),
    fetch: (url, init) => fetch(new URL(new URL(url).pathname, shop.at), init),
    wait: async (milliseconds) => {
      await decided;
      stage.advance(milliseconds);
    },
  });
  const machine = { label: name, os: "Linux x64" };
  return {
    ...licence,
    activate: () => licence.activate(machine),
    signIn: (owner: Person) =>
      licence.signIn(machine, ({ userCode }) => {
        decided = decide(owner, userCode);
      }),
  };
}

test("after a restore no code counts, later tokens are refused, and the client asks to sign in again and continues", async () => {
  await using stage = await openStage();
  const { person } = await customerWith(stage, 6);
  const laptop = await signIn(stage, person, "laptop");
  const removed = await signIn(stage, person, "removed");
  const early = (await person.post("/api/devices/offline", { request: shown("attic"), password })).body;
  const [pending, approved, waiting] = [
    await ask(stage, "pending"),
    await ask(stage, "approved"),
    await ask(stage, "waiting"),
  ];
  await decide(person, approved.userCode);
  const { path } = await operated(stage, "backup", "--to", scratch);

  // after the backup: codes are used, computers come and go
  const handedOut = [(await approved.poll()).body.access_token];
  await decide(person, pending.userCode);
  handedOut.push((await pending.poll()).body.access_token);
  await remove(person, "removed");
  const late = (await person.post("/api/devices/offline", { request: shown("cellar"), password })).body;
  const shop: Shop = { at: stage.url, issuers: [stage.url.origin] };
  const studio = client(stage, shop, "studio");
  expect(await studio.signIn(person)).toBe("signed_in");
  expect(await studio.activate()).toMatchObject({ code: "VALID", online: true });

  const copy = await restored(stage, path);
  try {
    const at = (other: Person) => {
      const there = new Person(() => new URL(copy.listening));
      for (const [name, value] of other.cookies) there.cookies.set(name, value);
      return there;
    };
    const ada = at(person);
    const anybody = new Person(() => new URL(copy.listening));
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
    const validate = (token: string, name: string) =>
      anybody.post("/api/app/v1/validate", { hwid: computer(name).hwid, version: "1.0.0" }, bearer(token));
    expect(Object.keys(await listDevices(ada)).toSorted()).toEqual(["attic", "laptop", "removed"]);
    // no code of before counts, whatever had become of it
    for (const { device_code, userCode } of [pending, approved, waiting]) {
      const answer = await anybody.post("/api/app/v1/device/token", { grant_type: grant, device_code });
      expect([answer.status, answer.body]).toEqual([400, { error: "invalid_grant" }]);
      expect((await showRequest(ada, userCode)).status).toBe(404);
      expect((await decide(ada, userCode)).status).toBe(404);
    }
    for (const token of handedOut) {
      const refused = await validate(token, "approved");
      expect(refused).toMatchObject({ status: 401, body: { code: "NO_LICENSE" } });
      expect(refused.headers.get("www-authenticate")).toBe('Bearer error="invalid_token"');
    }
    // the tokens of that time go on
    expect(await codeOf(validate(laptop.token, "laptop"))).toBe("VALID");
    expect(await codeOf(validate(removed.token, "removed"))).toBe("VALID");
    // the application says what to do, and runs meanwhile
    shop.at = copy.listening;
    shop.issuers.push(copy.url.origin);
    expect(await studio.check()).toMatchObject({ code: "VALID", online: false, signIn: true });
    expect(await studio.signIn(ada)).toBe("signed_in");
    expect(await studio.check()).toMatchObject({ code: "VALID", online: true, signIn: false });
    // the owner sees the computer of the first file, whose place is held; the other file runs until its end
    expect((await listDevices(ada))["attic"]?.offline_until).toBeString();
    expect((await remove(ada, "attic")).body.code).toBe("hwid_cooldown");
    for (const [name, file] of [
      ["attic", early],
      ["cellar", late],
    ] as const) {
      const offline = client(stage, shop, name);
      expect(await offline.useFile(file)).toMatchObject({ code: "VALID", online: false });
    }
  } finally {
    await copy.stop({ noticeMilliseconds: 0 });
  }
});
