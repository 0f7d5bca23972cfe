import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { day } from "@/contract/vocabulary/time";
import { accounts } from "@/domain/schema/accounts";
import { prove } from "../accounts/people";
import { waitForBot, waitForHolders } from "../../support/people/discord";
import { operate, operated, operateWith, settingsOf } from "../../support/operator/run-operator";
import { eventually, openStage, type Stage } from "../../support/shop/stage";

const scratch = await mkdtemp(join(tmpdir(), "latchkey-customers-"));
afterAll(() => rm(scratch, { recursive: true, force: true }));

const why = ["--reason", "moving in"];
const written = async (text: string) => {
  const path = join(scratch, `${crypto.randomUUID()}.csv`);
  await Bun.write(path, text);
  return path;
};

test("another shop's customer gets in by recovery, has their licence, and is linked to Discord", async () => {
  await using stage = await openStage({ discord: true });
  await waitForBot(stage);
  await stage.atDiscord("join", { user: "ada" });
  const { members } = await stage.atDiscord("members");
  const id = members.find((one: { username: string }) => one.username === "ada").id;
  const path = await written(
    [
      "email,username,Key,days,expires,hwid,discord_id",
      `ada@example.com,ada,AbCdE-FgHiJ-12345,30,,S-1-5-21,${id}`,
      '"bert@example.com",bert,,lifetime,,,',
      "cleo@example.com,cleo,,,2099-12-31,,",
      "dora@example.com,dora,,,,,",
    ].join("\r\n"),
  );
  const dry = await operate(stage, "import", "customers", path, "--dry-run", ...why);
  expect(dry.out).toContain("4 customers would be imported, 0 were already known. Nothing was changed.");
  expect(dry.out).toContain("ignored: hwid.");
  expect(await operated(stage, "stats")).toMatchObject({ accounts: 0, licences: { issued: 0 } });
  const report = await operated(stage, "import", "customers", path, ...why);
  expect(report).toMatchObject({ made: 4, known: 0, ignored_columns: ["hwid"], changed: 0, refused: 0 });
  await waitForHolders(stage, ["ada"]);
  // the same file adds nothing twice
  expect(await operated(stage, "import", "customers", path, ...why)).toMatchObject({ made: 0, known: 4 });
  expect(await operated(stage, "stats")).toMatchObject({ accounts: 4, licences: { issued: 3, active: 3 } });

  const ada = stage.person();
  expect((await ada.post("/api/auth/login", { username: "ada", password: "" })).status).toBe(400);
  await ada.get("/api/user/password/forgot?email=ada@example.com&code=");
  const email = await eventually(
    () => stage.mail.messages().find((one) => one.to.includes("ada@example.com")),
    (found) => found !== undefined,
  );
  const code = /\b\d{6}\b/.exec(email?.text ?? "")?.[0] ?? "";
  const password = "a password of her own";
  expect((await ada.post("/api/user/password/forgot", { email: "ada@example.com", code })).status).toBe(200);
  const chosen = await ada.post("/api/user/password/forgot-reset", {
    email: "ada@example.com",
    code,
    password,
  });
  expect(chosen.status).toBe(200);
  expect((await ada.post("/api/auth/login", { username: "ada", password })).status).toBe(200);
  expect((await ada.get("/api/user/me")).body.data).toMatchObject({
    username: "ada",
    active_license: true,
    hwid_set: false,
    discord_authed: true,
  });
  const [licence] = (await ada.get("/api/licenses/me")).body.data;
  expect(licence.key).toBe("ABCDE-FGHIJ-12345");
  expect((Date.parse(licence.expiry_date) - Date.now()) / day).toBeCloseTo(30, 1);
  const customer = await operated(stage, "accounts", "show", "cleo");
  expect(customer.licences[0].expiresAt).toBe("2100-01-01T00:00:00.000Z");
  expect((await operated(stage, "audit", "show", "--action", "account.imported")).length).toBe(4);
});

test("an imported address counts as confirmed, unless the file is said to be unconfirmed", async () => {
  await using stage = await openStage();
  const isConfirmed = async (name: string, ...more: string[]) => {
    const path = await written(`email,username\n${name}@example.com,${name}`);
    await operated(stage, "import", "customers", path, ...more, ...why);
    const [row] = await stage.ctx.store.db.select().from(accounts).where(eq(accounts.username, name));
    return row?.emailConfirmedAt instanceof Date;
  };
  expect([await isConfirmed("ada"), await isConfirmed("bert", "--unconfirmed")]).toEqual([true, false]);
});

test("each wrong line is named with a sentence and not quoted, and nothing is imported", async () => {
  await using stage = await openStage();
  await stage.person().register(await stage.handOut(), "taken");
  await prove(stage, "taken");
  const spent = await stage.handOut();
  await stage.person().register(spent, "spender");
  const path = await written(
    [
      "username,email,key,days,expires,discord_id",
      "fine,fine@example.com,,,,",
      "no,short@example.com,,,,",
      "good,not-an-address,,,,",
      "badkey,badkey@example.com,tiny-canary,,,",
      "baddays,baddays@example.com,,soon,,",
      "baddate,baddate@example.com,,,2026-02-31,",
      "Fine,other@example.com,,,,",
      "other,FINE@example.com,,,,",
      "taken,somebody@example.com,,,,",
      "somebody,taken@example.com,,,,",
      `spent,spent@example.com,${spent},,,`,
    ].join("\n"),
  );
  const format = await operate(stage, "import", "customers", path, ...why);
  expect(format.code).toBe(1);
  expect(format.err).toBe(
    [
      "Line 3: username must be 3 to 32 letters, digits, underscores, dots or dashes.",
      "Line 4: email must be an email address.",
      "Line 5: key must be 12 to 64 letters, digits or dashes.",
      "Line 6: days must be a whole number, or lifetime.",
      "Line 7: expires must be a date like 2026-01-31.",
      "Line 8: its username is on line 2 as well.",
      "Line 9: its email is on line 2 as well.",
      "Line 10: its username belongs to an account here with another email.",
      "Line 11: its email belongs to an account here with another username.",
      "Line 12: its key can't be used (taken).",
      "Nothing was imported.",
      "",
    ].join("\n"),
  );
  const headless = await operate(stage, "import", "customers", await written("name,mail\na,b\n"), ...why);
  expect(headless.err).toBe(
    'Line 1: it has no column email; if it has another name, --column email="…" says it.\nNothing was imported.\n',
  );
  expect(await operated(stage, "stats")).toMatchObject({ accounts: 2 });
});

test("a key imported earlier goes to the customer, and an interrupted import continues where it stopped", async () => {
  await using stage = await openStage();
  const keys = await written("key,level,days\nOLDSHOPKEY0001,,90\n");
  await operated(stage, "import", "keys", keys, ...why);
  const lines = ["username,email,key", "ada,ada@example.com,oldshopkey0001"];
  const half = await written(lines.join("\n"));
  await operated(stage, "import", "customers", half, ...why);
  const [licence] = (await operated(stage, "accounts", "show", "ada")).licences;
  expect((Date.parse(licence.expiresAt) - Date.now()) / day).toBeCloseTo(90, 1);
  const whole = await written([...lines, "bert,bert@example.com,OLDSHOPKEY0002"].join("\n"));
  expect(await operated(stage, "import", "customers", whole, ...why)).toMatchObject({ made: 1, known: 1 });
  expect(await operated(stage, "stats")).toMatchObject({ accounts: 2, licences: { issued: 2, active: 2 } });
});

test("a blocked customer stops an import, which names the line, before anything is imported", async () => {
  await using stage = await openStage();
  const user = "123456789012345678";
  await operated(stage, "blocks", "add", "email", "mallory@example.com", ...why);
  await operated(stage, "blocks", "add", "discord", user, ...why);
  const people = [
    "honest,honest@example.com,",
    "mallory,Mallory@example.com,",
    `eve,eve@example.com,${user}`,
  ];
  const path = await written(["username,email,discord_id", ...people].join("\n"));
  const refused = await operate(stage, "import", "customers", path, ...why);
  expect(refused.err).toBe(
    [
      "Line 3: its email is blocked.",
      "Line 4: its Discord user is blocked.",
      "Nothing was imported.",
      "",
    ].join("\n"),
  );
  expect(await operated(stage, "stats")).toMatchObject({ accounts: 0 });
});

test("a date lasts the whole day, in the line's zone or else the shop's, and what is over is counted", async () => {
  await using stage = await openStage();
  const settings = { ...settingsOf(stage), TIME_ZONE: "America/New_York" };
  const today = new Date().toISOString().slice(0, 10);
  const path = await written(
    [
      "email,username,expires,timezone",
      "ada@example.com,ada,2099-03-07,",
      "bert@example.com,bert,2099-03-07,Asia/Tokyo",
      "cleo@example.com,cleo,2099-03-07T18:00:00+02:00,Asia/Tokyo",
      "dora@example.com,dora,2099-03-07 18:00,Asia/Tokyo",
      `emil@example.com,emil,${today},Pacific/Pago_Pago`,
      "finn@example.com,finn,2020-01-01,",
    ].join("\n"),
  );
  const dry = await operateWith(settings, "import", "customers", path, "--dry-run", ...why);
  expect(dry.out).toContain("1 licence is over already.");
  const { out } = await operateWith(settings, "import", "customers", path, "--json", ...why);
  expect(JSON.parse(out)).toMatchObject({ made: 6, over: 1 });
  const endOf = async (name: string) =>
    (await operated(stage, "accounts", "show", name)).licences[0].expiresAt;
  expect(await endOf("ada")).toBe("2099-03-08T05:00:00.000Z");
  expect(await endOf("bert")).toBe("2099-03-07T15:00:00.000Z");
  expect(await endOf("cleo")).toBe("2099-03-07T16:00:00.000Z");
  expect(await endOf("dora")).toBe("2099-03-07T09:00:00.000Z");
  expect(Date.parse(await endOf("emil"))).toBeGreaterThan(Date.now());
  expect(await operated(stage, "stats")).toMatchObject({ licences: { active: 5 } });
});

test("a Discord id that can't be one or may be rounded is named and not linked, unless the operator insists", async () => {
  await using stage = await openStage();
  const ids = [
    "123456789012345000",
    "12345678901234500",
    "42",
    "1.23457E+17",
    "99999999999999999999",
    "123456789012345678",
  ];
  const rows = ids.map((id, at) => `user${at},user${at}@example.com,${id}`);
  const path = await written(["username,email,discord_id", ...rows].join("\n"));
  const report = await operated(stage, "import", "customers", path, "--dry-run", ...why);
  expect(report).toMatchObject({ made: 6, unlinked: 5 });
  expect(report.notes.map(({ line }: { line: number }) => line)).toEqual([2, 3, 4, 5, 6]);
  const anyway = await operated(stage, "import", "customers", path, "--link-anyway", ...why);
  expect(anyway).toMatchObject({ made: 6, unlinked: 3 });
  expect(await linkedAmong(stage, "user")).toEqual([
    "123456789012345000",
    "12345678901234500",
    "123456789012345678",
  ]);

  const list =
    '[{"email":"ada@example.com","discord_id":223456789012345678},{"email":"bert@example.com","discord_id":"323456789012345678"}]';
  const entries = await written(list);
  expect(await operated(stage, "import", "customers", entries, "--dry-run", ...why)).toMatchObject({
    unlinked: 1,
    notes: [
      { line: 1, kind: "changed" },
      { line: 2, kind: "changed" },
      {
        line: 1,
        kind: "unlinked",
        sentence: "discord_id is a number, which programs round, so it is not linked",
      },
    ],
  });
  await operated(stage, "import", "customers", entries, "--link-anyway", ...why);
  expect(await linkedAmong(stage, "ada")).toEqual(["223456789012345678"]);
});

async function linkedAmong(stage: Stage, name: string): Promise<string[]> {
  const { rows } = await stage.ctx.store.client.execute({
    sql: "SELECT discord_user_id AS id FROM accounts JOIN links ON account_id = accounts.id WHERE username LIKE ? ORDER BY username",
    args: [`${name}%`],
  });
  return rows.map(({ id }) => id as string);
}

test("a customer without a user name gets one from the email, which neither the file nor the shop has", async () => {
  await using stage = await openStage();
  await stage.person().register(await stage.handOut(), "dora");
  const path = await written(
    [
      "email;username",
      "ada.lovelace+shop@example.com;",
      "Ada.Lovelace@example.org;",
      "bert@example.com;ada.lovelace-2",
      "x@example.com;",
      "émile@example.com;",
      "анна@example.com;",
      "dora@example.org;",
    ].join("\n"),
  );
  const report = await operated(stage, "import", "customers", path, ...why);
  expect(report).toMatchObject({ made: 7, changed: 6 });
  expect(report.notes.map(({ sentence }: { sentence: string }) => sentence.split(": ")[1])).toEqual([
    "ada.lovelace",
    "Ada.Lovelace-3",
    "customer-x",
    "emile",
    "customer",
    "dora-2",
  ]);
  // the same file adds nobody twice
  expect(await operated(stage, "import", "customers", path, ...why)).toMatchObject({ made: 0, known: 7 });
});

test("with --skip, customers who can't be imported are named and the others are imported", async () => {
  await using stage = await openStage();
  const lines = [
    "username,email,key",
    "no,short@example.com,",
    "ada,ada@example.com,AbCdE-FgHiJ-12345",
    "bert,bert@example.com,aBcDe-fghij-12345",
    "bert,bert@example.org,",
    `cleo,cleo@example.com,${"K".repeat(65)}`,
  ];
  const path = await written(lines.join("\n"));
  expect((await operate(stage, "import", "customers", path, ...why)).code).toBe(1);
  const report = await operated(stage, "import", "customers", path, "--skip", ...why);
  expect(report).toMatchObject({ made: 2, refused: 3 });
  expect(report.notes.map(({ line }: { line: number }) => line)).toEqual([2, 4, 6]);
  expect(await operated(stage, "stats")).toMatchObject({ accounts: 2 });
});

test("an end on the last day that dates have is a lifetime, and is named", async () => {
  await using stage = await openStage();
  const path = await written(
    [
      "email,username,expires,timezone",
      "ada@example.com,ada,9999-12-31,America/Los_Angeles",
      "bob@example.com,bob,9999-12-31T00:00:00Z,",
      "cyd@example.com,cyd,2038-01-19,",
    ].join("\n"),
  );
  const { code, out, err } = await operate(stage, "import", "customers", path, ...why);
  expect(code).toBe(0);
  for (const line of [2, 3])
    expect(out + err).toContain(`Line ${line}: its end in the year 9999 is read as a lifetime`);
  const ends = await Promise.all(
    ["ada", "bob", "cyd"].map(
      async (name) => (await operated(stage, "accounts", "show", name)).licences[0].expiresAt,
    ),
  );
  expect(ends).toEqual([null, null, "2038-01-20T00:00:00.000Z"]);
});
