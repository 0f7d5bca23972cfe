import { afterAll, expect, test } from "bun:test";
import { existsSync, statSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { fileClient } from "@/core/database/file-client";
import { writeSettingsFile } from "@/core/settings/settings-file";
import { secretsStep } from "@/operator/setup/steps/secrets";
import { startStripeSimulator } from "@/simulators/stripe/simulator";
import { scriptedUi, startedSetup } from "../../support/operator/scripted-ui";
import { openMachine, stripeAnswers } from "../../support/operator/set-up";

const stripe = await startStripeSimulator({ seed: 1 });
const answers = stripeAnswers(stripe);
afterAll(() => stripe.stop());

test("set-up makes the keys once, keeps them in a file apart, and invites one owner", async () => {
  await using machine = await openMachine(answers);
  const first = await machine.setUp();
  expect(first).toMatchObject({ code: 0, err: "" });
  const kept = await Bun.file(first.keep).text();
  const { SECRET_KEY = "", BACKUP_KEY = "", ...settings } = machine.settings();
  expect(kept).toStartWith(
    `SECRET_KEY=${SECRET_KEY}\nBACKUP_KEY=${BACKUP_KEY}\nOWNER_LINK=${machine.address}/`,
  );
  expect(settings).toMatchObject({ MAIL: "off", DISCORD: "off", CURRENCY: "usd", SELLER: "Olga Owner" });
  for (const file of [first.keep, join(machine.dataDir, "settings.env")]) {
    expect(statSync(file).mode & 0o777).toBe(0o600);
  }
  for (const secret of [SECRET_KEY, BACKUP_KEY, stripe.secretKey]) expect(first.out).not.toContain(secret);

  const again = await machine.setUp();
  expect(again.code).toBe(0);
  expect(again.out).toContain("The shop has its secret, in the settings.");
  expect(again.out).toContain("olga@example.com has an open invitation to be the shop's owner.");
  expect(machine.settings()).toMatchObject({ SECRET_KEY, BACKUP_KEY });
  expect(existsSync(again.keep)).toBe(false);
});

test("the ends of both keys are typed back at once, whatever stands between them", async () => {
  using shop = startedSetup({ SECRET_KEY: "" });
  let ends: string[] = [];
  shop.setup.ui = {
    ...scriptedUi({}).ui,
    async reveal(lines, act) {
      ends = ["SECRET_KEY", "BACKUP_KEY"].map(
        (name) => lines.find((line) => line.startsWith(name))?.slice(-4) ?? "",
      );
      await act();
    },
    async ask({ fault }) {
      const [first = "", second = ""] = ends;
      for (const right of [`${first} ${second}`, `${first}, ${second}`, `${first}/${second}`])
        expect(fault?.(right)).toBeNull();
      for (const wrong of [first, `${first} ${first}`, `${second} ${first}`])
        expect(fault?.(wrong)).toBe("They differ: look again. SECRET_KEY's come first.");
      return first + second;
    },
  };
  await secretsStep(shop.setup);
  const { SECRET_KEY = "", BACKUP_KEY = "" } = shop.setup.file;
  expect([SECRET_KEY, BACKUP_KEY].map((key) => key.slice(-4))).toEqual(ends);
});

test("no key is made where the database was made with another", async () => {
  await using machine = await openMachine(answers);
  expect((await machine.setUp()).code).toBe(0);
  const { SECRET_KEY: _, ...others } = machine.settings();
  writeSettingsFile(machine.dataDir, others);
  const { code, err, keep } = await machine.setUp();
  expect(code).toBe(1);
  expect(err).toContain("This database has another SECRET_KEY: copy settings.env from the first machine");
  expect(machine.settings()).toEqual(others);
  expect(existsSync(keep)).toBe(false);
});

test("nobody is invited by a link that couldn't be kept", async () => {
  await using machine = await openMachine(answers);
  const first = await machine.setUp({ STRIPE_SECRET_KEY: "sk_test_of_nobody" });
  expect(first).toMatchObject({ code: 1, err: expect.stringContaining("Stripe refuses the secret key") });
  expect((await machine.setUp({}, "--keep", first.keep)).err).toContain("name a new one with --keep");
  const last = await machine.setUp();
  expect(await Bun.file(last.keep).text()).toStartWith(`OWNER_LINK=${machine.address}/`);
});

test("a wrong answer ends the run with its reason, before it is written", async () => {
  await using machine = await openMachine(answers);
  const ended = async (more: Record<string, string>) => (await machine.setUp(more)).err;
  expect(await ended({ OWNER_EMAIL: "olga@example" })).toBe(
    "The answer OWNER_EMAIL can't be used. It must be an email address.\n",
  );
  expect(await ended({ PRIZE: "29" })).toBe("No step asks for PRIZE: take that out, or spell it right.\n");
  expect(await ended({ KEY_PREFIX: "BRUSH-WORK" })).toContain("without dashes or spaces");
  expect(await ended({ PRICE: "29.5.0" })).toContain("It must be an amount, such as 5 or 4.99.");
  expect(await ended({ PRICE: "0.20" })).toContain("Stripe takes no less than USD 0.50.");
  expect(existsSync(join(machine.dataDir, "brand"))).toBe(false);
});

test("an address at which something else answers is taken only if that is confirmed", async () => {
  using other = Bun.serve({ port: 0, fetch: () => new Response("another shop") });
  await using machine = await openMachine({ ...answers, PUBLIC_URL: other.url.origin });
  const refused = await machine.setUp();
  expect(refused.err).toBe(
    `Something else answers at ${other.url.origin}, not this shop. Give another address, or free that one.\n`,
  );
  expect(machine.settings()).not.toHaveProperty("PUBLIC_URL");
  const taken = await machine.setUp({ OTHER_ADDRESS: "yes" });
  expect(taken.out).toContain(`Untested: Something else answers at ${other.url.origin}`);
  expect(machine.settings()).toMatchObject({ PUBLIC_URL: other.url.origin });
});

test("a service that is half in the environment is refused, with what to remove", async () => {
  await using machine = await openMachine(answers, { MAIL_FROM: "shop@example.com" });
  const { code, err } = await machine.setUp();
  expect(code).toBe(1);
  expect(err).toContain("The environment sets MAIL_FROM");
  expect(err).toContain("remove it from the environment");
});

test("answers that others can read are refused, and so is a run without terminal and answers", async () => {
  await using machine = await openMachine();
  const file = join(machine.folder, "open.env");
  await Bun.write(file, "PRICE=29\n");
  await chmod(file, 0o644);
  expect((await machine.run("setup", "--answers", file)).err).toContain("can be read by others");
  expect((await machine.run("setup")).err).toBe(
    "There is no terminal to ask at: give a file with --answers.\n",
  );
  expect(existsSync(machine.dataDir)).toBe(false);
});

test("--check writes nothing, and says what is missing", async () => {
  await using machine = await openMachine();
  const { code, out } = await machine.run("setup", "--check");
  expect(code).toBe(3);
  expect(out).toContain("missing  Shop\n");
  expect(out).toContain("A start would stop: No shop is set up in");
  expect(existsSync(machine.dataDir)).toBe(false);
});

test("a shop sells in yen, and no currency is taken in which the brand's price is none", async () => {
  await using machine = await openMachine({ ...answers, CURRENCY: "jpy", PRICE: "2900" });
  const first = await machine.setUp();
  expect(first).toMatchObject({ code: 0, err: "" });
  expect(first.out).toContain("The price is JPY 2,900.");
  expect((await machine.setUp({ CURRENCY: "kwd" })).code).toBe(0);
  const back = await machine.setUp({ CURRENCY: "jpy" });
  expect(back.code).toBe(0);

  await using dollars = await openMachine(answers);
  expect((await dollars.setUp({ PRICE: "29.50" })).code).toBe(0);
  const { err } = await dollars.setUp({ CURRENCY: "jpy" });
  expect(err).toContain('offer.price is "29.50", which is no amount in JPY. Change the price there first.');
  expect(dollars.settings()).toMatchObject({ CURRENCY: "usd" });
});

test("on a restored copy set-up changes nothing outside", async () => {
  await using machine = await openMachine(answers);
  expect((await machine.setUp()).code).toBe(0);
  const headers = { authorization: `Bearer ${stripe.secretKey}` };
  const endpoints = () =>
    fetch(`${stripe.url}/v1/webhook_endpoints`, { headers }).then((answer) => answer.text());
  const before = await endpoints();
  const client = fileClient(join(machine.dataDir, "shop.db"), 1_000);
  await client.execute(
    `INSERT INTO installation (name, value) VALUES ('restored_copy', '{"made":"2026-01-01T00:00:00Z","at":"2026-01-01T00:00:00Z"}')`,
  );
  await client.execute("DELETE FROM stripe_endpoints");
  client.close();
  const { STRIPE_WEBHOOK_SECRET: _, ...others } = machine.settings();
  writeSettingsFile(machine.dataDir, others);
  const { code, err } = await machine.setUp();
  expect(code).toBe(1);
  expect(err).toContain("This is a restored copy, which changes nothing outside its database");
  expect(await endpoints()).toBe(before);
});
