import { afterAll, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { readSettingsFile } from "@/core/settings/settings-file";
import { startStripeSimulator } from "@/simulators/stripe/simulator";
import { openBareRoot } from "../../support/operator/bare-root";
import { operateAlone } from "../../support/operator/run-operator";
import { stripeAnswers, usualAnswers } from "../../support/operator/set-up";

const isRoot = process.getuid?.() === 0;
const asRoot = (name: string, story: () => Promise<void>) =>
  test.skipIf(!isRoot)(`${name}${isRoot ? "" : " (needs root)"}`, story);

const stripe = await startStripeSimulator({ seed: 1 });
afterAll(() => stripe.stop());

type Root = ReturnType<typeof openBareRoot>;

/** Types `shop setup` as root of this machine, beside a shop that is open once systemd has started it. */
async function setUp(root: Root, answers: Record<string, string> = {}, ...options: string[]) {
  using shop = Bun.serve({ port: 0, fetch: () => new Response() });
  const given = {
    ...usualAnswers,
    PUBLIC_URL: "https://127.0.0.1:9",
    BACKUP_TO: root.backups,
    ...stripeAnswers(stripe),
    ...answers,
  };
  const file = root.at("answers.env");
  const lines = Object.entries(given).map(([name, value]) => `${name}='${value}'\n`);
  writeFileSync(file, lines.join(""), { mode: 0o600 });
  const all = ["--answers", file, "--keep", root.at("keep.env"), "--below", root.below, ...options];
  const ended = await operateAlone({ PATH: root.path, PORT: String(shop.port) }, "setup", ...all);
  return { ...ended, calls: root.calls() };
}

/** Ends a run at its first question. */
const wrong = { OWNER_EMAIL: "olga@example" };
const starts = [
  "is-active --quiet latchkey",
  "daemon-reload",
  "enable latchkey",
  "restart latchkey",
  "reload caddy",
];
const systemctl = (...words: string[]) => words.map((one) => `systemctl ${one}`);

asRoot(
  "one command makes the user and its folders once, sets up as that user, and starts the shop",
  async () => {
    using root = openBareRoot();
    const first = await setUp(root);
    expect(first).toMatchObject({ code: 0, err: "" });
    expect(first.calls).toEqual([
      `useradd --system --home-dir ${root.dataDir} --shell /usr/sbin/nologin latchkey`,
      "runuser -u latchkey",
      ...systemctl(...starts),
    ]);
    for (const folder of [root.dataDir, root.backups]) {
      expect(statSync(folder)).toMatchObject({ uid: 65_534, gid: 65_534 });
      expect(statSync(folder).mode & 0o777).toBe(0o700);
    }
    const { SECRET_KEY, BACKUP_KEY, BACKUP_TO } = readSettingsFile(root.dataDir);
    expect(BACKUP_TO).toBe(root.backups);
    const keep = root.at("keep.env");
    expect(readFileSync(keep, "utf8")).toStartWith(
      `SECRET_KEY=${SECRET_KEY}\nBACKUP_KEY=${BACKUP_KEY}\nOWNER_LINK=`,
    );
    expect(statSync(keep)).toMatchObject({ uid: 0 });
    expect(statSync(keep).mode & 0o777).toBe(0o600);
    expect(readFileSync(root.at("etc/systemd/system/latchkey.service"), "utf8")).toContain(
      "\nUser=latchkey\n",
    );
    expect(first.out).toContain("ok       backup: None was made yet");
    expect(first.out).not.toMatch(/look at +backup/);
    expect(first.out.trim().split("\n").at(-1)).toStartWith("Now open https://127.0.0.1:9 and buy with card");

    const second = await setUp(root, wrong);
    expect(second).toMatchObject({ code: 1, calls: ["runuser -u latchkey"] });
    expect(second.out).not.toContain("Made for the shop");
  },
);

asRoot(
  "what the user's process refuses or leaves ends the run, and nothing but the command is written",
  async () => {
    const runuser = 'case "$1" in test) ;; *) exit 130 ;; esac';
    using root = openBareRoot({ runuser });
    const left = await setUp(root);
    expect(left).toMatchObject({
      code: 130,
      out: expect.stringContaining("Made for the shop: the user latchkey, "),
    });
    expect(left.calls.at(-1)).toBe("runuser -u latchkey");
    for (const file of ["etc/systemd", "keep.env"]) expect(existsSync(root.at(file))).toBe(false);
    expect(existsSync(root.at("usr/local/bin/shop"))).toBe(true);
  },
);

asRoot("code that the user can't read is refused before any question", async () => {
  using root = openBareRoot({ runuser: "exit 1" });
  const { code, err } = await setUp(root);
  expect(code).toBe(1);
  expect(err).toContain("latchkey, who runs the shop, can't read ");
  expect(err).toContain("such as /opt/latchkey, type chmod -R o+rX on them");
});

asRoot("code that the user could change is refused, since root runs it too", async () => {
  using root = openBareRoot({ runuser: "exit 0" });
  root.letsWrite();
  const { code, err } = await setUp(root);
  expect(code).toBe(1);
  expect(err).toContain("latchkey, who runs the shop, could change ");
});

asRoot("a data folder in whose place a user could put another is refused", async () => {
  using root = openBareRoot();
  const theirs = root.at("home/mallory");
  mkdirSync(theirs, { recursive: true });
  chownSync(theirs, 65_533, 65_533);
  const at = (dataDir: string) =>
    operateAlone({ PATH: root.path, DATA_DIR: dataDir }, "setup", "--check", "--below", root.below);
  expect((await at(`${theirs}/data`)).err).toContain(
    `${theirs}, above ${theirs}/data, can be changed by others`,
  );
  mkdirSync(root.at("var/lib"), { recursive: true });
  symlinkSync("/etc", root.at("var/lib/data"));
  expect((await at(root.at("var/lib/data"))).err).toContain("is behind a link: set DATA_DIR to /etc.");
  expect(root.calls()).toEqual([]);
});

asRoot(
  "a data folder that belongs to a user is that user's shop; one of root's with data stays root's",
  async () => {
    using root = openBareRoot();
    root.put("etc/passwd", "sam:x:65533:65533::/:/bin/sh\n");
    mkdirSync(root.dataDir, { recursive: true });
    root.put("var/lib/latchkey/notes", "");
    const check = () => operateAlone({ PATH: root.path }, "setup", "--check", "--below", root.below);
    chownSync(root.dataDir, 65_533, 65_533);
    chmodSync(root.dataDir, 0o700);
    expect(await check()).toMatchObject({ code: 3, out: expect.stringContaining("missing  Shop\n") });
    expect(root.calls()).toEqual(["runuser -u sam"]);

    chownSync(root.dataDir, 0, 0);
    const rooted = await setUp(root, wrong);
    expect(rooted).toMatchObject({ code: 1, calls: [] });
    expect(rooted.out).toContain(`${root.dataDir} belongs to root, who runs the shop.`);
    expect(readSettingsFile(root.dataDir)).toMatchObject({ STRIPE_API_URL: stripe.url });
  },
);
