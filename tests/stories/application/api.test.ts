import { expect, spyOn, test } from "bun:test";
import type { Client } from "@libsql/client";
import { createLocalJWKSet, jwtVerify } from "jose";
import { day, minute } from "@/contract/vocabulary/time";
import { customerOf } from "@/domain/customers/customer";
import { accounts } from "@/domain/schema/accounts";
import { devices } from "@/domain/schema/devices";
import { customerCard } from "../../../bot/interactions/customer-card";
import type { Person } from "../../support/people/person";
import { release } from "../../support/shop/publish-release";
import { openStage, type Stage } from "../../support/shop/stage";

const machine = { hwid: "machine-number-one", label: "Study", os: "Linux x64", version: "1.0.0" };
const other = { ...machine, hwid: "machine-number-two", label: "Kitchen" };

/** Somebody's application: their token, and no cookie. */
class Application {
  constructor(
    private readonly stage: Stage,
    readonly token: string,
    private readonly from: Person = stage.person(),
  ) {}
  private readonly headers = () => ({ authorization: `Bearer ${this.token}` });
  get = (path: string) => this.from.get(`/api/app/v1/${path}`, this.headers());
  post = (path: string, body: object) => this.from.post(`/api/app/v1/${path}`, body, this.headers());
  activate = (on = machine) => this.post("activate", on);
  validate = ({ hwid, version } = machine) => this.post("validate", { hwid, version });
  deactivate = ({ hwid } = machine) => this.post("deactivate", { hwid });
  /** The same token from another address. */
  elsewhere = () => new Application(this.stage, this.token);
}

async function customer(stage: Stage, name = "ada", key?: string) {
  const person = stage.person();
  expect((await person.register(key ?? (await stage.handOut()), name)).status).toBe(200);
  const { api_key: token, id } = (await person.get("/api/user/me")).body.data;
  return { person, id: id as string, app: new Application(stage, token) };
}

test("the first activation binds the device; the same device succeeds again, another is refused", async () => {
  await using stage = await openStage();
  const { person, app } = await customer(stage);
  expect(await app.validate()).toMatchObject({ status: 403, body: { code: "NOT_ACTIVATED" } });
  expect((await person.get("/api/user/device")).body.data).toBeNull();
  for (const label of ["Study", "Study, again"]) {
    expect(await app.activate({ ...machine, label })).toMatchObject({ status: 200, body: { code: "VALID" } });
  }
  expect(await app.validate()).toMatchObject({ status: 200, body: { code: "VALID" } });
  for (const refused of [await app.activate(other), await app.validate(other), await app.deactivate(other)]) {
    expect(refused).toMatchObject({ status: 403, body: { status: 403, code: "HWID_MISMATCH" } });
  }
  expect((await person.get("/api/user/me")).body.data).toMatchObject({ hwid_set: true, last_reset: null });
  expect((await person.get("/api/user/device")).body.data).toMatchObject({
    label: "Study, again",
    os: machine.os,
    active: true,
  });
  expect(await stage.count("audit_log WHERE action = 'device.bound'")).toBe(1);
});

test("a hardware ID is stored only as a keyed hash, and never logged", async () => {
  await using stage = await openStage();
  const { app } = await customer(stage);
  await app.activate();
  await app.validate(other);
  const plain = new Bun.CryptoHasher("sha256").update(machine.hwid);
  const [hex, base64] = [plain.copy().digest("hex"), plain.copy().digest("base64url")];
  const { rows } = await stage.ctx.store.client.execute("SELECT * FROM devices");
  for (const text of [JSON.stringify(rows), stage.lines.join("\n")]) {
    for (const trace of [machine.hwid, other.hwid, hex, base64]) expect(text).not.toContain(trace);
  }
});

test("every call reports the licence's state, and binds nothing without one", async () => {
  await using stage = await openStage();
  await release(stage, "1.0.0");
  const [disputed, refunded, lost] = [await stage.buy(), await stage.buy(), await stage.buy()];
  const standing = {
    EXPIRED: await customer(stage, "expired", await stage.handOut(1)),
    DISPUTED: await customer(stage, "disputed", disputed.key),
    REVOKED: await customer(stage, "refunded", refunded.key),
  };
  const gone = await customer(stage, "lost", lost.key);
  await stage.atStripe("dispute", { session: disputed.sessionId, status: "needs_response" });
  for (const status of ["needs_response", "lost"]) {
    await stage.atStripe("dispute", { session: lost.sessionId, status });
  }
  await stage.stripeTells("refund", { session: refunded.sessionId });
  stage.advance(2 * day);
  const calls = (app: Application) => [
    app.activate(),
    app.validate(),
    app.get("update/windows"),
    app.get("update/latest.yml"),
    app.get("update/files/1.0.0/win_exe/Wisp-Setup.exe"),
  ];
  for (const [code, { app, person }] of [...Object.entries(standing), ["REVOKED", gone] as const]) {
    for (const answer of await Promise.all(calls(app))) {
      expect(answer).toMatchObject({ status: 403, body: { status: 403, code, data: expect.any(String) } });
    }
    expect((await person.get("/api/user/device")).body.data).toBeNull();
  }
  for (const app of [new Application(stage, "nobody-s-token"), new Application(stage, "")]) {
    for (const answer of await Promise.all([...calls(app), app.deactivate()])) {
      expect(answer).toMatchObject({ status: 401, body: { code: "NO_LICENSE" } });
    }
  }
});

test("of many devices that try to replace a deactivated one, only one succeeds", async () => {
  await using stage = await openStage({ env: { LIMITS: "app=1000/60" } });
  const { app } = await customer(stage);
  await app.activate();
  await app.deactivate();
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, at) => app.elsewhere().activate({ ...machine, hwid: `new-device-${at}` })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await stage.count("audit_log WHERE action = 'device.moved'")).toBe(1);
});

test("an application below the minimum version must update, both before and after it is bound", async () => {
  await using stage = await openStage();
  const { app, person } = await customer(stage);
  await release(stage, "1.0.0");
  await release(stage, "2.0.0", { minimumVersion: "1.5.0" });
  const refused = { status: 403, body: { code: "UPDATE_REQUIRED", minimum_version: "1.5.0" } };
  expect(await app.activate()).toMatchObject(refused);
  expect((await person.get("/api/user/device")).body.data).toBeNull();
  expect(await app.activate({ ...machine, version: "1.5.0" })).toMatchObject({ status: 200 });
  for (const version of ["1.4.9", "1.5.0-beta.1", "not a version"]) {
    expect(await app.validate({ ...machine, version })).toMatchObject(refused);
  }
  expect((await app.validate({ ...machine, version: "1.10.0" })).body.code).toBe("VALID");
});

test("a validation reads no release notes, however many there are", async () => {
  await using stage = await openStage();
  const { app } = await customer(stage);
  await release(stage, "1.0.0");
  await app.activate();
  const driver: Client = Object.getPrototypeOf(stage.ctx.store.client);
  using execute = spyOn(driver, "execute");
  expect((await app.validate()).body.code).toBe("VALID");
  const releases = execute.mock.calls
    .map(([statement]) => JSON.stringify(statement))
    .filter((statement) => statement.includes('from \\"releases'));
  expect(releases).toHaveLength(1);
  expect(releases[0]).not.toContain("content");
});

test("a token says who may run what, on which device and until when, and verifies with the published key", async () => {
  await using stage = await openStage();
  const { app, id } = await customer(stage);
  const { data } = (await app.activate()).body;
  const keys = (await stage.person().get("/api/app/v1/keys")).body;
  expect(keys.code).toBe("VALID");
  const { payload, protectedHeader } = await jwtVerify(data.token, createLocalJWKSet(keys), {
    issuer: stage.url.origin,
    audience: "application",
  });
  expect(protectedHeader).toMatchObject({ alg: "EdDSA", kid: keys.keys[0].kid });
  expect(payload).toMatchObject({ sub: id, entitlement: { type: "premium", expires: null } });
  expect(payload["device"]).toBe(
    new Bun.CryptoHasher("sha256").update(`${id}\n${machine.hwid}`).digest("base64url"),
  );
  const seconds = (iso: string) => Math.floor(Date.parse(iso) / 1000);
  expect([payload.exp, payload["grace_until"]]).toEqual([
    seconds(data.expires_at),
    seconds(data.grace_until),
  ]);
  expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe((7 * day) / 1000);
  expect(Number(payload["grace_until"]) - (payload.exp ?? 0)).toBe((14 * day) / 1000);
  expect(JSON.stringify(keys)).not.toContain('"d"');
});

test("a token may make sixty calls a minute, from anywhere", async () => {
  await using stage = await openStage();
  const { app } = await customer(stage);
  const answers = await Promise.all(Array.from({ length: 80 }, () => app.elsewhere().validate()));
  const limited = answers.filter(({ status }) => status === 429);
  expect(limited).toHaveLength(20);
  expect(limited[0]?.body).toMatchObject({ status: 429, code: "RATE_LIMITED" });
  expect(Number(limited[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
  stage.advance(minute);
  expect((await app.validate()).status).toBe(403);
});

test("made-up tokens count towards their address, which is then refused", async () => {
  await using stage = await openStage({ env: { LIMITS: "other=5/60" } });
  const { person, app } = await customer(stage);
  for (let time = 0; time < 10; time += 1) await app.validate();
  const guesser = (time: number) => new Application(stage, `made-up-${time}`, person);
  const codes = [];
  for (let time = 0; time < 6; time += 1) codes.push((await guesser(time).validate()).body.code);
  expect(codes).toEqual([...Array<string>(5).fill("NO_LICENSE"), "RATE_LIMITED"]);
  const here = new Application(stage, app.token, person);
  expect((await here.validate()).body.code).toBe("RATE_LIMITED");
  expect((await app.validate()).body.code).toBe("NOT_ACTIVATED");
});

test("the calls accept no cookie, and may come from the application's own pages as well", async () => {
  await using stage = await openStage();
  const { app, person } = await customer(stage);
  expect(await person.post("/api/app/v1/activate", machine)).toMatchObject({ status: 401 });
  const headers = {
    authorization: `Bearer ${app.token}`,
    origin: "app://wisp",
    "sec-fetch-site": "cross-site",
  };
  const page = stage.person();
  expect(await page.post("/api/app/v1/activate", machine, headers)).toMatchObject({ status: 200 });
});

test("anything that is not a verdict has a lower-case code: invalid fields, no JSON, a wrong method", async () => {
  await using stage = await openStage();
  const { app } = await customer(stage);
  expect(await app.post("activate", { ...machine, hwid: "short" })).toMatchObject({
    status: 400,
    body: { code: "invalid_field", field: "hwid" },
  });
  expect(await app.post("activate", { ...machine, label: 7 })).toMatchObject({ body: { field: "label" } });
  expect(await app.get("activate")).toMatchObject({ status: 405 });
  expect(await app.get("update/amiga")).toMatchObject({ status: 400, body: { code: "invalid_field" } });
  const text = await stage.person().send("POST", "/api/app/v1/validate", {
    headers: { authorization: `Bearer ${app.token}`, "content-type": "application/json" },
    body: "{",
  });
  expect(text).toMatchObject({ status: 400, body: { code: "invalid_json" } });
});

const host = "DESKTOP-Margarethe-von-Hohenfels-Buchhaltung-2.Etage.corp.hohenfels.example";
const windows = "Microsoft Windows 11 Enterprise multi-session 10.0.26100 Build 26100 (x64)";
/** What computers say of themselves, and what is shown of it. */
const described: Record<string, [said: object, shown: object]> = {
  "a long name": [{ label: host }, { label: host.slice(0, 64) }],
  "a name that is cut before a character of two halves": [
    { label: `${"x".repeat(63)}👩‍💻` },
    { label: "x".repeat(63) },
  ],
  "a name that is cut at a blank": [{ label: `${"x".repeat(63)} y` }, { label: "x".repeat(63) }],
  "a name after many blanks": [{ label: `${" ".repeat(70)}Study` }, { label: "Study" }],
  "no name": [{ label: "" }, { label: "A computer" }],
  "a name of one blank": [{ label: " " }, { label: "A computer" }],
  "a name that can't be seen": [{ label: "\n\u202e\u200b" }, { label: "A computer" }],
  "null for a name": [
    { label: null, os: null },
    { label: "A computer", os: "Unknown" },
  ],
  "neither name, system nor version": [
    { label: undefined, os: undefined, version: undefined },
    { label: "A computer", os: "Unknown", version: "Unknown" },
  ],
  "a long system": [{ os: windows }, { os: windows.slice(0, 64) }],
  "a long version": [{ version: `1.0.0+${"a".repeat(64)}` }, { version: `1.0.0+${"a".repeat(58)}` }],
  "no version": [{ version: " " }, { version: "Unknown" }],
};

test("a computer is activated, validated and signed in whatever it says of itself", async () => {
  await using stage = await openStage();
  const { person, app } = await customer(stage);
  for (const [what, [said, shown]] of Object.entries(described)) {
    const asked = { ...machine, ...said };
    expect([what, (await app.activate(asked)).status]).toEqual([what, 200]);
    expect([what, (await person.get("/api/user/device")).body.data]).toMatchObject([what, shown]);
    expect([what, (await app.post("validate", asked)).status]).toEqual([what, 200]);
    const code = await person.post("/api/app/v1/device/code", asked);
    const request = await person.get(`/api/devices/request?user_code=${code.body.user_code}`);
    expect([what, request.body.data]).toMatchObject([what, shown]);
  }
});

test("a version that is cut counts as what it is, and one that can't be read as older than any", async () => {
  await using stage = await openStage();
  const { app } = await customer(stage);
  await app.activate();
  await release(stage, "2.0.0", { minimumVersion: "1.5.0" });
  const build = "a".repeat(64);
  for (const [version, newer, required] of [
    [`2.0.0+${build}`, false, false],
    [`1.6.0+${build}`, true, false],
    [`1.4.0+${build}`, true, true],
    ["9".repeat(70), true, true],
    ["", true, true],
  ] as const) {
    const { code } = (await app.post("validate", { ...machine, version })).body;
    expect([version, code]).toEqual([version, required ? "UPDATE_REQUIRED" : "VALID"]);
    const update = await app.get(`update/linux?${new URLSearchParams({ version })}`);
    expect([version, update.body.data]).toMatchObject([version, { newer, required }]);
  }
  expect((await app.get("update/linux")).body.data).toMatchObject({ newer: true, required: false });
});

test("each text that the application sends about its computer is kept as one line", async () => {
  await using stage = await openStage();
  const { person, app } = await customer(stage);
  const odd = {
    ...machine,
    label: "Study\nRole: owner\u202e\u2028x",
    os: "Linux\r\nx64",
    version: "1.0.0\n2",
  };
  expect((await app.activate(odd)).status).toBe(200);
  const { label, os, version } = (await person.get("/api/user/device")).body.data;
  expect([label, os, version]).toEqual(["Study Role: owner x", "Linux x64", "1.0.0 2"]);
  // one that an earlier version stored
  await stage.ctx.store.db.update(devices).set({ label: "Study\n**Role:** owner\u202e" });
  const [account] = await stage.ctx.store.db.select().from(accounts);
  if (!account) throw new Error("the account is there");
  const fields = customerCard(await customerOf(stage.ctx, account)).data.fields ?? [];
  const shown = fields.find(({ name }) => name === "Device")?.value;
  expect(shown).toStartWith("Study \\*\\*Role:\\*\\* owner; ");
});
