/**
 * The operator's manual, followed exactly: its commands, files and settings are taken from the page and used in its
 * order on an empty machine, each test going on where the one before it stopped. `brought` is what the page leaves to the
 * reader, `prepare` what it takes for granted.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { invitation } from "@bot/server/permissions";
import { namesOf, permission } from "@/simulators/discord/guild/permissions";
import { type DiscordSimulator, startDiscordSimulator } from "@/simulators/discord/simulator";
import { type MailSimulator, startMailSimulator } from "@/simulators/mail/simulator";
import { startStripeSimulator, type StripeSimulator } from "@/simulators/stripe/simulator";
import { startBucket } from "../support/network/bucket";
import { control } from "../support/network/control";
import { libsqlProgram } from "../support/network/libsql-server";
import { noteTally } from "../support/checks/discord-tally";
import {
  bareMachine,
  type Block,
  manualBlocks,
  manualNginx,
  manualText,
  proxies,
  scalingOut,
  toRealSales,
} from "../support/operator/operator-manual";
import {
  accepts,
  answersDiscord,
  answersBackups,
  answersMail,
  answersShop,
  keepsKeys,
  startsShop,
} from "../support/operator/walk-set-up";
import { Person } from "../support/people/person";
import { eventually } from "../support/shop/stage";
import { places } from "./machine";
import { add, asShop, atTerminal, inMachine, lacks, must, put } from "./follow";

const sqld = libsqlProgram();
const origin = "https://shop.example.com";
const pasted = `whsec_${"p".repeat(32)}`;
const settingsFile = "/var/lib/latchkey/settings.env";
const blocks = await manualBlocks();
const blocksOf = (section: string) => blocks.filter((block) => block.section === section);
const linesOf = (section: string) =>
  blocksOf(section).flatMap(({ language, lines }) => (language === "sh" ? lines : []));

/** What the page leaves to the reader, by the setting's name. */
const brought: Record<string, string> = {};

let stripe: StripeSimulator;
let mail: MailSimulator;
let discord: DiscordSimulator;
let bucket: ReturnType<typeof startBucket>;

if (lacks) test.skip(`the manual is not followed: ${lacks}`, () => {});
else
  describe("the manual", () => {
    beforeAll(async () => {
      [stripe, mail, discord] = await Promise.all([
        startStripeSimulator({ seed: 1, webhook: { url: `${origin}/api/stripe/webhook`, secret: pasted } }),
        startMailSimulator(),
        startDiscordSimulator({ seed: 1 }),
      ]);
      bucket = startBucket();
    });
    afterAll(async () => {
      await noteTally(discord.url);
      await Promise.all([stripe.stop(), mail.stop(), discord.stop(), bucket[Symbol.asyncDispose]()]);
    });

    test("from a bare machine to a shop behind its proxy, whose owner signs in", async () => {
      await prepare();
      for (const line of linesOf(bareMachine).filter(Boolean)) await followLine(line);
      await must(`systemd-analyze verify ${unit}`);
      const nginx = blocksOf(proxies).find(({ language }) => language === "nginx");
      await put(proxyFile, `${nginx?.lines.join("\n")}\n`);
      const [, reads = ""] = /`(nginx -t [^`]+)`/.exec(await manualText(proxies)) ?? [];
      await must(reads);
      await eventually(ready, ({ status }) => status === 200);
      expect((await visitor().get("/")).status).toBe(200);
      expect((await accepts(visitor(), brought["invitation"] ?? "")).status).toBe(200);
    });

    test("the first sale, through the proxy, with a receipt by way of the relay, and a licence and a role", async () => {
      const [, publish = ""] = /`(shop releases [^`]+)`/.exec(await manualText(toRealSales)) ?? [];
      await put("/opt/latchkey/folder/Brushwork-Setup.exe", "a build");
      await must(`cd /opt/latchkey; ${publish}`);
      const { key } = await buy("first@example.com");
      await eventually(
        () => must("journalctl --output=cat --identifier=postfix/smtp"),
        (log) => log.includes("to=<first@example.com>"),
      );
      expect((await first.register(key, "first")).status).toBe(200);
      await first.prove();
      const { url } = (await first.get("/api/functions/get-discord-oauth-url")).body;
      const { redirect } = await atStandIn(discord, "authorize", { url, user: "ada" });
      const back = Object.fromEntries(new URL(redirect).searchParams);
      expect((await first.post("/api/discord/auth/callback", back)).status).toBe(200);
      await eventually(
        () => atStandIn(discord, "holders"),
        ({ holders }) => holders.length === 1,
      );
      expect((await first.get("/api/download")).body).toBe("a build");
      await must("shop doctor");
    });

    test("backups by command, into a bucket, and on schedule to another disk", async () => {
      const [, allowFolder = ""] = /`(ReadWritePaths=[^`]+)`/.exec(await manualText("Backup")) ?? [];
      const [, folder = ""] = allowFolder.split("=-");
      expect(await must(`cat ${unit}`)).toMatch(new RegExp(`^ReadWritePaths=.* -${folder}$`, "m"));
      await must(`sed -i '/^ProtectSystem=/a ${allowFolder}' ${unit}; systemctl daemon-reload`);
      await restart();
      await eventually(
        () => must(`ls ${folder}`),
        (names) => names.includes(".backup"),
      );
      Object.assign(brought, bucket.env);
      for (const [name, value] of Object.entries(bucket.env)) await set(name, value);
      for (const line of linesOf("Backup").filter(Boolean)) await must(line);
      expect(bucket.objects.size).toBe(1);
      expect(await must(asShop("bun run shop doctor"))).toMatch(/ok +backups?: /i);
    });

    test("the restore drill: a copy of the shop in an empty folder, which neither sells nor backs up", async () => {
      const [restore = "", doctor = ""] = restoreLines();
      const empty = `DATA_DIR=/var/tmp/drill; PORT=3001; ${copiesTo("/var/tmp/drill")}`;
      const backups = await must(asShop("bun run shop backups"));
      for (const line of [restore, doctor]) await must(asShop(line, empty));
      await must(`{ ${asShop("exec bun src/main.ts", empty)}\n} >/run/foreground.log 2>&1 &`);
      await must(untilItAnswers("curl -fsS http://127.0.0.1:3001/api/ready"));
      const copy = new Person(() => new URL("http://127.0.0.1:3001"));
      const asked = { currency: "usd" };
      const fromShop = { origin };
      expect((await copy.post("/api/stripe/create-checkout-session", asked, fromShop)).status).toBe(503);
      await must(interrupt);
      expect(await must(asShop("bun run shop backups"))).toBe(backups);
    });

    test("on an empty machine the newest backup gives the shop back, with what was sold after it", async () => {
      const { key } = await buy("second@example.com");
      await must(`systemctl stop latchkey; cp -a /var/lib/latchkey/builds /srv/builds; ${emptyHost}`);
      const stopped = new Date().toISOString().slice(0, 16);
      for (const line of restoreLines()) await must(asShop(line.replace("2026-01-31T04:10", stopped)));
      await must("cp -a /srv/builds /var/lib/latchkey/");
      await restart();
      expect((await first.get("/api/licenses/me")).body.data).toHaveLength(1);
      expect((await visitor().register(key, "second")).status).toBe(200);
      await buy("restored@example.com");
    });

    test("a leaked SECRET_KEY is replaced, and buyers get new keys", async () => {
      const { key } = await buy("third@example.com");
      const [rotate = "", ...others] = linesOf("When SECRET_KEY has leaked");
      expect(others).toEqual([]);
      const secret = (await must("openssl rand -base64 32")).trim();
      await set("SECRET_KEY_OLD", brought["SECRET_KEY"] ?? "");
      await set("SECRET_KEY", secret);
      brought["SECRET_KEY"] = secret;
      await restart();
      await must(asShop(rotate));
      await set("SECRET_KEY_OLD", null);
      await restart();
      await must(asShop("bun run shop doctor"));
      const [email] = await eventually(
        () => mail.messages("third@example.com"),
        (emails) => emails.length === 2,
      );
      const [replaced = ""] = /[A-Z0-9]+(?:-[A-Z0-9]{4}){4}/.exec(JSON.stringify(email)) ?? [];
      expect(replaced).not.toBe(key);
      expect((await visitor().register(key, "third")).status).toBe(400);
      expect((await visitor().register(replaced, "third")).status).toBe(200);
      expect((await first.get("/api/licenses/me")).body.data).toHaveLength(1);
    });

    test.skipIf("missing" in sqld)(
      "the shop moves to a libSQL server, two processes sell there, and it moves back",
      async () => {
        const [move = "", ...settings] = linesOf(scalingOut).filter(Boolean);
        const [, back = ""] = /`(shop move --to \/\S+ --reason )…`/.exec(await manualText(scalingOut)) ?? [];
        const [url = ""] = /http:\S+/.exec(move) ?? [];
        const server = await startServer(new URL(url).host);
        brought["DATABASE_AUTH_TOKEN"] = "none-is-asked-for";
        await must("systemctl stop latchkey");
        await must(asShop(move));
        for (const line of settings) {
          const [name = "", value = ""] = line.split(/=(.*)/s);
          expect(value === "…" ? Object.keys(brought) : [name]).toContain(name);
          await set(name, brought[name] ?? value);
        }
        await must("systemctl start latchkey");
        await eventually(ready, ({ status }) => status === 200);
        const { key } = await buy("fourth@example.com");
        await sellWithTwo();
        expect((await first.get("/api/licenses/me")).body.data).toHaveLength(1);

        await must("systemctl stop latchkey; mkdir /srv/old; mv /var/lib/latchkey/shop.db* /srv/old");
        await must(asShop(`${back}"one is enough"`));
        for (const name of ["DATABASE_URL", "BUILDS_URL"]) await set(name, null);
        server.kill("SIGKILL");
        await server.exited;
        await must("systemctl start latchkey");
        await eventually(ready, ({ status }) => status === 200);
        expect((await first.get("/api/licenses/me")).body.data).toHaveLength(1);
        expect((await visitor().register(key, "fourth")).status).toBe(200);
      },
    );

    test("the upgrade to a next release, and back", async () => {
      const steps = (await manualText(upgrading)).matchAll(/^\d\. `(shop [^`]+)`\.$/gm);
      const [backup = "", doctor = ""] = [...steps].map(([, step = ""]) => step);
      const [, isNew = ""] = /`(bun src\/main.ts --new)`/.exec(await manualText(scalingOut)) ?? [];
      const put = (files: string) =>
        must(`rm -rf ${places.shop}/*; cp -a ${files}/. ${places.shop}\nnpm run shop settings`);
      await must(`cp -a ${places.shop} /srv/before; systemctl stop latchkey; ${emptyHost}`);
      await must(`{ ${asShop(`exec ${isNew}`)}\n} >/run/foreground.log 2>&1 &`);
      await must(untilItAnswers(asked));
      await must(interrupt);
      await restart();
      const customer = visitor();
      const { key } = await buy("before@example.com");
      expect((await customer.register(key, "before")).status).toBe(200);
      const opened = await open();

      await must(backup);
      await put(places.next);
      await restart();
      await must(doctor);
      await pay(opened, "across@example.com");
      expect((await customer.get("/api/licenses/me")).body.data).toHaveLength(1);
      const later = await open();

      await put("/srv/before");
      await restart();
      expect((await ready()).body.data.migrations).toBe("ahead");
      expect((await customer.get("/api/licenses/me")).body.data).toHaveLength(1);
      await buy("back@example.com");

      await put(places.next);
      await restart();
      await pay(later, "later@example.com");
    });
  });

const upgrading = "Upgrade and rollback";
const proxyFile = "/etc/nginx/conf.d/latchkey.conf";
const asked = "curl -fsS http://127.0.0.1:3000/api/ready";
const restoring = "Restore, and the drill";
const restoreLines = () => linesOf(restoring).filter(Boolean);
/** A new disk, with the copies of settings and brand; the built pages are left, because they would only be built again. */
const emptyHost =
  "find /var/lib/latchkey -mindepth 1 -not -path '*/site*' -not -path '*/brand*' -not -name settings.env -delete";
const copiesTo = (folder: string) =>
  `mkdir -p ${folder}; cp -a /var/lib/latchkey/settings.env /var/lib/latchkey/brand ${folder}/;`;
const unit = "/etc/systemd/system/latchkey.service";
const visitor = () => new Person(() => new URL(origin));
const first = visitor();
const ready = () => visitor().get("/api/ready");

/** Sets a setting in the file, or removes it with `null`. */
const set = async (name: string, value: string | null) => {
  await must(`sed -i '/^${name}=/d' ${settingsFile}`);
  if (value !== null) await add(settingsFile, `${name}=${value}\n`);
};

async function restart(): Promise<void> {
  await must("systemctl restart latchkey");
  await eventually(ready, ({ status }) => status === 200);
}

/** A real libSQL server at an address of the machine. */
async function startServer(host: string): Promise<Bun.Subprocess> {
  const program = "program" in sqld ? sqld.program : "";
  const options = ["--db-path", inMachine("/srv/sqld"), "--http-listen-addr", host, "--no-welcome"];
  const server = Bun.spawn([program, ...options], { stdin: "ignore", stdout: "ignore", stderr: "ignore" });
  const isUp = () =>
    fetch(`http://${host}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  await eventually(isUp, Boolean);
  return server;
}

type Ready = { data: { discord: string } };

/** Two processes behind nginx as the page sets them up, then one alone again. */
async function sellWithTwo(): Promise<void> {
  const { forOne, forSeveral } = await manualNginx();
  const proxyWith = async ({ lines }: Block) => {
    await put(proxyFile, `${lines.join("\n")}\n`);
    await must("nginx -t && systemctl restart nginx");
  };
  const [one = "", other = ""] = forSeveral.lines.flatMap((line) => /10[.\d]+(?=:3000)/.exec(line) ?? []);
  await set("HOST", one);
  await must("systemctl restart latchkey");
  const own = `HOST=${other}; DATA_DIR=/var/tmp/second; ${copiesTo("/var/tmp/second")}`;
  await must(`{ ${asShop("exec bun src/main.ts", own)}\n} >/run/foreground.log 2>&1 &`);
  for (const host of [one, other]) await must(untilItAnswers(`curl -fsS http://${host}:3000/api/ready`));
  await proxyWith(forSeveral);
  const bots = async () => {
    // more often would be more than the shop allows one address
    await Bun.sleep(500);
    const answers = await Promise.all([one, other].map((host) => fetch(`http://${host}:3000/api/ready`)));
    const readiness = await Promise.all(answers.map((answer) => answer.json() as Promise<Ready>));
    return readiness.map(({ data }) => data.discord);
  };
  await eventually(bots, (states) => states.toSorted().join() === "elsewhere,up");
  await buy("either@example.com");
  await must(interrupt);
  await buy("one@example.com");
  await set("HOST", null);
  await proxyWith(forOne);
  await restart();
}

const atStandIn = ({ url }: { url: string }, action: string, body?: object) => control(url, action, body);

type Opened = { buyer: Person; session: string };

async function open(): Promise<Opened> {
  const buyer = visitor();
  const { body } = await buyer.post("/api/stripe/create-checkout-session", { currency: "usd" });
  return { buyer, session: body.data.id };
}

/** Pays for an order, waits for the receipt, which comes by way of the relay, and resolves to the key. */
async function pay({ buyer, session }: Opened, email: string): Promise<{ key: string }> {
  await atStandIn(stripe, "pay", { session, email });
  const { body } = await eventually(
    () => buyer.get(`/api/stripe/verify-payment?session_id=${session}`),
    ({ body: seen }) => seen.status_message === "Payment Verified" && seen.data.sent_receipt,
  );
  await eventually(
    () => mail.messages(email),
    (emails) => emails.length === 1,
  );
  return { key: body.data.license_key };
}

const buy = async (email: string) => pay(await open(), email);

const relayHere = "smtp://localhost:25";

/** What the page takes for granted: a mail relay as Debian sets one up. */
async function prepare(): Promise<void> {
  const relay = new URL(mail.smtpUrl);
  const cert = "/etc/ssl/certs/ssl-cert-snakeoil.pem";
  const key = "/etc/ssl/private/ssl-cert-snakeoil.key";
  await must(
    [
      `openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=mail -days 2 -keyout ${key} -out ${cert} 2>/dev/null`,
      "cat /usr/share/postfix/main.cf.debian /usr/share/postfix/main.cf.tls > /etc/postfix/main.cf",
      `postconf -e inet_interfaces=loopback-only relayhost=[${relay.hostname}]:${relay.port}`,
      "systemctl start postfix@-",
    ].join("\n"),
  );
}

/** Answers set-up, with the simulators at the other end. */
async function setUp(line: string): Promise<void> {
  const asks = namesOf(BigInt(new URL(invitation("1", "use")).searchParams.get("permissions") ?? 0));
  const deny = Object.keys(permission).filter((name) => !asks.some((one) => one === name));
  await atStandIn(discord, "bot", { grant: asks, deny, role: "above" });
  // makes the user and the folder
  using left = atTerminal(line);
  await left.sees("Your name");
  left.leaves();
  expect(await left.ended()).toBe(130);
  await must(`install -m 0600 -o latchkey -g latchkey /dev/null ${settingsFile}`);
  await add(settingsFile, `STRIPE_API_URL=${stripe.url}\nDISCORD_API_URL=${discord.url}/api\n`);
  const [, makeFolder = ""] = /`(install -d [^`]+)`/.exec(await manualText("Backup")) ?? [];
  await must(makeFolder);
  using typist = atTerminal(line);
  await answersShop(typist, { address: origin });
  [brought["SECRET_KEY"] = ""] = await keepsKeys(typist);
  await answersMail(typist, { smtpUrl: relayHere, messages: mail.messages });
  await answersBackups(typist, makeFolder.split(" ").at(-1));
  await typist.answers("secret or restricted key", stripe.secretKey);
  await typist.answers("publishable key", stripe.publishableKey);
  // this machine has no address at which the simulator would make one
  await typist.answers("The endpoint's signing secret", pasted);
  await answersDiscord(typist, { discord, address: origin });
  await typist.sees("Start the shop now?");
  brought["invitation"] = await startsShop(typist);
}

/** Ctrl+C where a shop runs in the foreground. */
const interrupt = [
  "shop=$(pgrep -f --newest '^bun src/main.ts')",
  "kill -INT $shop",
  "while kill -0 $shop 2>/dev/null; do sleep 0.1; done",
].join("\n");

async function followLine(line: string): Promise<void> {
  // the machine's proxy is nginx, and it has what it needs
  if (line.startsWith("apt ")) return;
  if (line.endsWith("shop setup")) await setUp(line);
  else await must(line);
}

/** Asks again while the shop is starting. */
const untilItAnswers = (line: string) =>
  `for try in $(seq 300); do ${line} 2>/dev/null && exit; sleep 0.2; done; cat /run/foreground.log; ${line}`;
