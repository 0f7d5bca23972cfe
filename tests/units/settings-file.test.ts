import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmod, chown, mkdir, mkdtemp, readdir, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inOwnersWords, ownerHint } from "@/core/settings/in-owners-words";
import { readConfig } from "@/core/settings/config";
import { forgetFormerSettings, readSettingsFile, writeSettingsFile } from "@/core/settings/settings-file";
import { services, settingNames, settingsOf } from "@/core/settings/settings";
import { settingsHere, withSettings } from "@/core/settings/settings-here";
import { answersText, readAnswers } from "@/operator/setup/ui/answers";

let dataDir = "";
beforeEach(async () => void (dataDir = await mkdtemp(join(tmpdir(), "latchkey-settings-"))));
afterEach(() => rm(dataDir, { recursive: true, force: true }));
const file = () => join(dataDir, "settings.env");
const lines = (...text: string[]) => Bun.write(file(), `${text.join("\n")}\n`);
const mode = async (path: string) => (await stat(path)).mode & 0o777;

const printable = Array.from({ length: 0x7f - 0x20 }, (_, at) => String.fromCharCode(0x20 + at)).join("");

test("every printable character of a value is read as it was written", () => {
  const values = Object.fromEntries(
    [
      printable,
      [...printable].toReversed().join(""),
      ...[...printable].flatMap((one) => [one, `${one}x`, `x${one}`, `${one}x${one}`, `a ${one} b`]),
      "Ünïcode ✓",
      "",
    ].map((value, at) => [`NAME_${at}`, value]),
  );
  writeSettingsFile(dataDir, values);
  expect(readSettingsFile(dataDir)).toEqual(values);
});

test("the seller's lines are kept apart, and no other setting takes several", () => {
  writeSettingsFile(dataDir, { SELLER: "Smith & Sons\n1 Mill Lane" });
  expect(readConfig({ DATA_DIR: dataDir }).sales.seller).toEqual(["Smith & Sons", "1 Mill Lane"]);
  expect(() => writeSettingsFile(dataDir, { METRICS_TOKEN: "one\nMAIL=off" })).toThrow(
    "The setting METRICS_TOKEN must be one line without control characters.",
  );
});

test("the file is private, and made private where others may read it", async () => {
  writeSettingsFile(dataDir, { CURRENCY: "eur" });
  expect(await mode(file())).toBe(0o600);
  await chmod(file(), 0o644);
  expect(readSettingsFile(dataDir)).toEqual({ CURRENCY: "eur" });
  expect(await mode(file())).toBe(0o600);
});

test("the file of the last good start is kept until the next one", async () => {
  for (const CURRENCY of ["eur", "chf", "usd"]) writeSettingsFile(dataDir, { CURRENCY });
  expect(await Bun.file(`${file()}.former`).text()).toContain("CURRENCY=eur");
  expect(await mode(`${file()}.former`)).toBe(0o600);
  forgetFormerSettings(dataDir);
  expect(await readdir(dataDir)).toEqual(["settings.env"]);
});

test("a demo's folder gets no settings file", async () => {
  await mkdir(join(dataDir, "simulators", "stripe"), { recursive: true });
  expect(() => writeSettingsFile(dataDir, { CURRENCY: "eur" })).toThrow("reads no settings file");
  expect(await readdir(dataDir)).toEqual(["simulators"]);
});

test("a write that was interrupted leaves the earlier settings and is repeated", async () => {
  writeSettingsFile(dataDir, { CURRENCY: "eur" });
  await Bun.write(`${file()}.new`, "CURREN");
  expect(readSettingsFile(dataDir)).toEqual({ CURRENCY: "eur" });
  writeSettingsFile(dataDir, { CURRENCY: "chf" });
  expect(readSettingsFile(dataDir)).toEqual({ CURRENCY: "chf" });
});

test("a data folder that isn't there yet has no settings, and gets a private folder", async () => {
  const inner = join(dataDir, "data");
  expect(readSettingsFile(inner)).toEqual({});
  writeSettingsFile(inner, { CURRENCY: "eur" });
  expect([await mode(inner), readSettingsFile(inner)]).toEqual([0o700, { CURRENCY: "eur" }]);
});

test("a link is refused, whatever it leads to", async () => {
  await Bun.write(join(dataDir, "other"), "CURRENCY=eur\n");
  await symlink("other", file());
  const sentence = `${file()} is a symbolic link: put the file itself there.`;
  expect(() => readSettingsFile(dataDir)).toThrow(sentence);
  expect(() => writeSettingsFile(dataDir, {})).toThrow(sentence);
});

test.skipIf(process.getuid?.() !== 0)("the file is its folder's owner's, whoever writes it", async () => {
  await chown(dataDir, 65_534, 65_534);
  writeSettingsFile(dataDir, { CURRENCY: "eur" });
  writeSettingsFile(dataDir, { CURRENCY: "chf" });
  for (const path of [file(), `${file()}.former`]) expect((await stat(path)).uid).toBe(65_534);
  await chown(file(), 0, 0);
  expect(() => readSettingsFile(dataDir)).toThrow(
    `${file()} must belong to the same user as its folder: run \`chown 65534 ${file()}\`.`,
  );
});

test("what can't be read is told in a sentence", async () => {
  await mkdir(file());
  expect(() => readSettingsFile(dataDir)).toThrow(`${file()} can't be used (EISDIR).`);
});

test("a line that sets nothing is named without its text", async () => {
  await lines("# mine", "", "CURRENCY=eur", "sk_live_canary");
  expect(() => readConfig({ DATA_DIR: dataDir })).toThrow(`${file()}, line 4: write NAME=value.`);
  await lines("CURRENCY=eur", "CURRENCY=chf");
  expect(() => readConfig({ DATA_DIR: dataDir })).toThrow(
    `${file()}, line 2: CURRENCY is set twice, so delete one of the lines.`,
  );
});

test.each([
  [
    "BACKUP_TO=/var/backups # the other disk",
    "put the comment on a line of its own, or the value in single quotes",
  ],
  ["DISCORD_BOT_TOKEN=canary\t# bot", "put the comment on a line of its own, or the value in single quotes"],
  ["METRICS_TOKEN= # none", "put the comment on a line of its own, or the value in single quotes"],
  ["SELLER='Olga Owner' # canary", "put the comment on a line of its own."],
  ["SELLER='Olga Owner' # canary's", "put the comment on a line of its own."],
  ['SELLER="Olga Owner" # the "canary"', "put the comment on a line of its own."],
  ["SELLER='canary", "the quote isn't closed."],
  ['SELLER="', "the quote isn't closed."],
])("what follows a value is no part of it: %s", async (line, sentence) => {
  await lines("CURRENCY=eur", line);
  expect(() => readSettingsFile(dataDir)).toThrow(`${file()}, line 2: ${sentence}`);
  expect(() => readSettingsFile(dataDir)).not.toThrow("canary");
  expect(() => readAnswers(`\n${line}\n`, "answers.env")).toThrow(`answers.env, line 2: ${sentence}`);
});

test("a value that only begins with a quote, or has one inside, is taken as it stands", async () => {
  await lines('MAIL_FROM="Ada" <shop@example.com>', "SELLER='Ada's shop'");
  expect(readSettingsFile(dataDir)).toEqual({
    MAIL_FROM: '"Ada" <shop@example.com>',
    SELLER: "Ada's shop",
  });
});

test("a # within a value belongs to it, and a comment may stand on its own line", async () => {
  await lines("# mine", "  # and mine", "A=a#b", "B=#c", "C='d # e'", 'D="f # g"', "E=h  ");
  expect(readSettingsFile(dataDir)).toEqual({ A: "a#b", B: "#c", C: "d # e", D: "f # g", E: "h" });
});

test("a file in another encoding than UTF-8 is refused, and a mark of UTF-8 at its beginning is not", async () => {
  const text = "CURRENCY=eur\nSELLER='J\u00fcrgen'\n";
  for (const encoding of ["latin1", "utf16le"] as const)
    for (const mark of ["", "\ufeff"]) {
      await Bun.write(file(), Buffer.from(mark + text, encoding));
      await chmod(file(), 0o600);
      const sentence = `${file()} is not a text in UTF-8: save it as UTF-8.`;
      expect(() => readSettingsFile(dataDir)).toThrow(sentence);
      expect(answersText(file())).rejects.toThrow(sentence);
    }
  await Bun.write(file(), `\ufeff${text}`);
  expect(readSettingsFile(dataDir)).toEqual({ CURRENCY: "eur", SELLER: "J\u00fcrgen" });
});

const canMount = Bun.spawnSync(["unshare", "-rm", "true"]).exitCode === 0;

test.skipIf(!canMount)(
  "a file that is a mount of its own stays, and no secret is left beside it",
  async () => {
    writeSettingsFile(dataDir, { CURRENCY: "eur" });
    const script = `import { writeSettingsFile } from "@/core/settings/settings-file";
    writeSettingsFile(process.argv[1], { CURRENCY: "chf" });`;
    const line = `mount --bind "$1" "$1" && exec "$2" -e '${script}' "$3"`;
    const said = Bun.spawnSync(["unshare", "-rm", "sh", "-c", line, "sh", file(), process.execPath, dataDir]);
    expect(said.stderr.toString()).toContain(
      `${file()} can't be replaced, because it is a mount of its own: mount the folder above it instead, such as DATA_DIR.`,
    );
    expect(readSettingsFile(dataDir)).toEqual({ CURRENCY: "eur" });
    expect(await readdir(dataDir)).not.toContain("settings.env.new");
  },
);

test("what belongs to somebody else is told in words that can be followed", () => {
  const denied = () => {
    throw Object.assign(new Error("raw"), { code: "EACCES" });
  };
  expect(() => inOwnersWords("/data/brand", denied)).toThrow(
    "/data/brand can't be used: run this as the user who owns its folder.",
  );
  expect(ownerHint("run this as root", 1_000, { IN_CONTAINER: "yes" })).toBe(
    "on the host, run chown -R 1000 on the folder that is mounted there",
  );
});

test.each(["DATA_DIR", "NODE_ENV", "IN_CONTAINER", "FAILPOINT", "NODE_EXTRA_CA_CERTS", "BRAND"])(
  "%s is refused in the file",
  async (name) => {
    await lines(`${name}=x`);
    expect(() => readConfig({ DATA_DIR: dataDir })).toThrow(
      `${file()}, line 1: ${name} can't be set in this file: set it in the environment and delete it here.`,
    );
    expect(() => writeSettingsFile(dataDir, { [name]: "x" })).toThrow(`The setting ${name} can't be set`);
  },
);

test("an unknown name is told with its file and line, and a wrong value with its file alone", async () => {
  await lines("", "CURENCY=eur");
  expect(readConfig({ DATA_DIR: dataDir }).unknown).toEqual([`CURENCY (${file()}, line 2)`]);
  await lines("SMTP_URL=canary", "MAIL_FROM=shop@example.com");
  expect(() => readConfig({ DATA_DIR: dataDir })).toThrow(
    `The setting SMTP_URL in ${file()} must be an smtp://`,
  );
  expect(() => readConfig({ DATA_DIR: dataDir })).not.toThrow("canary");
});

test("the environment stands above the file, and an empty setting of it does not", async () => {
  await lines("CURRENCY=eur", "TIME_ZONE=Europe/Berlin", "LOG_LEVEL=");
  const here = settingsHere({ DATA_DIR: `'${dataDir}'`, CURRENCY: "chf", TIME_ZONE: "" });
  expect(here).toMatchObject({
    values: { CURRENCY: "chf", TIME_ZONE: "Europe/Berlin" },
    fromFile: ["TIME_ZONE"],
    leftOut: [],
  });
});

test("a service's settings come whole from one place", async () => {
  await lines("SMTP_URL=smtp://file.example", "MAIL_FROM=shop@example.com", "CURRENCY=eur");
  const environment = { DATA_DIR: dataDir, SMTP_URL: "smtp://environment.example" };
  const here = settingsHere(environment);
  expect(here.values["MAIL_FROM"]).toBeUndefined();
  expect(here).toMatchObject({
    values: { SMTP_URL: "smtp://environment.example", CURRENCY: "eur" },
    leftOut: [{ service: "mail", because: "SMTP_URL" }],
  });
  expect(() => readConfig(environment)).toThrow(
    `The setting MAIL_FROM is missing. The environment sets SMTP_URL, so nothing of mail is read from ${file()}.`,
  );
});

test("a login shell's MAIL hides nothing", async () => {
  await lines("MAIL=off");
  expect(readConfig({ DATA_DIR: dataDir, MAIL: "/var/mail/anna" }).mail).toBe("off");
});

test("no setting belongs to two services", () => {
  const grouped = services.flatMap(settingsOf);
  expect(new Set(grouped).size).toBe(grouped.length);
  expect(settingNames.filter((name) => /KEY|TOKEN|SECRET/.test(name) && !grouped.includes(name))).toEqual([
    "METRICS_TOKEN",
  ]);
});

test("a child gets the settings that it needs, and no secret besides", () => {
  const others = { PATH: "/bin", LANG: "C" };
  const given = { ...others, BRAND: "/brand", SECRET_KEY: "secret", STRIPE_SECRET_KEY: "sk_test_1" };
  expect(withSettings(given, "BRAND")).toEqual({ ...others, BRAND: "/brand" });
});
