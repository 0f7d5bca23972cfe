import { afterAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  operateAtTerminal,
  operateWatched,
  operateWith,
  settingsOf,
} from "../../support/operator/run-operator";
import { openStage, type Stage } from "../../support/shop/stage";

const scratch = await mkdtemp(join(tmpdir(), "latchkey-terminal-"));
afterAll(() => rm(scratch, { recursive: true, force: true }));

const why = ["--reason", "a story"];
const escape = "\u001B[";
/** Redraws the current line. */
const redraw = `\r${escape}K`;

/** Each long operation, its progress line, and its standard output. */
async function longWork(stage: Stage) {
  const release = join(scratch, "release");
  await mkdir(release, { recursive: true });
  await Bun.write(join(release, "App-1.0.0.dmg"), crypto.getRandomValues(new Uint8Array(65_536)));
  await Bun.write(join(release, "notes.md"), "# First\n\nAll of it.\n");
  const keys = join(scratch, "keys.csv");
  const made = Array.from({ length: 250 }, (_, at) => `OLDSHOPKEY${String(at).padStart(6, "0")},,30`);
  await Bun.write(keys, ["key,level,days", ...made].join("\n"));
  const people = join(scratch, "people.csv");
  await Bun.write(people, "username,email\nada,ada@example.com\nbert,bert@example.com\n");
  await stage.buy();
  return [
    {
      label: "Making keys",
      args: ["licences", "batch", "250", ...why],
      out: /^key,days\n(WISP[-\w]+,\n){250}$/,
    },
    { label: "Importing keys", args: ["import", "keys", keys, ...why], out: /^250 keys were imported/ },
    {
      label: "Importing customers",
      args: ["import", "customers", people, ...why],
      out: /^2 customers were/,
    },
    { label: "Writing", args: ["export", join(scratch, "books"), ...why], out: /\n {2}licences: 501 rows\n/ },
    { label: "Signing", args: ["builds", "sign", release], out: /^Signed App-1\.0\.0\.dmg\./ },
    {
      label: "Storing the builds",
      args: ["releases", "publish", "1.0.0", release, ...why],
      out: /^1\.0\.0 is/,
    },
    { label: "Asking Stripe", args: ["payments", "sync", ...why], out: /^Since .+ checked/ },
    {
      label: "Encrypting the database",
      args: ["backup", "--to", join(scratch, "kept")],
      out: /\.backup\n[\d.]+ kB\. It/,
    },
  ];
}

test("progress is drawn on a terminal's standard error, and cleared at the end", async () => {
  await using stage = await openStage();
  const env = settingsOf(stage);
  for (const { label, args, out } of await longWork(stage)) {
    const ended = await operateWatched(env, ...args);
    expect([label, ended.code, ended.err.includes(`${redraw}${label}`)]).toEqual([label, 0, true]);
    expect(ended.err).toMatch(/100%|\d/);
    expect(ended.err).toEndWith(redraw);
    expect(ended.out).toMatch(out);
    expect(ended.out).not.toContain(escape);
  }
  const machine = join(scratch, "machine");
  const restored = await operateWatched(
    { ...env, DATA_DIR: machine },
    "restore",
    join(scratch, "kept"),
    ...why,
  );
  expect(restored.code).toBe(0);
  expect(restored.err).toContain(`${redraw}Opening the backup`);
  expect(restored.err).toContain(`${redraw}Asking Stripe`);
});

test("progress never mixes with standard output, and is left out with --json or without a terminal", async () => {
  await using stage = await openStage();
  const env = settingsOf(stage);
  const outTo = join(scratch, "out");
  const backup = ["backup", "--to", join(scratch, "quiet")];
  const { shown, code } = await operateAtTerminal({ env, outTo }, ...backup);
  expect([code, shown]).toEqual([0, expect.stringContaining(`${redraw}Encrypting the database`)]);
  expect(shown).toEndWith(redraw);
  const written = await Bun.file(outTo).text();
  expect(written).toMatch(/\.backup\n[\d.]+ kB\. It/);
  expect(written).not.toContain("\u001B");
  const json = await operateAtTerminal({ env }, ...backup, "--json");
  expect(json.code).toBe(0);
  expect(JSON.parse(json.shown)).toMatchObject({ key: "SECRET_KEY" });
  expect(await operateWith(env, ...backup)).toMatchObject({ code: 0, err: "" });
});

test("colours are used only on terminals that want them", async () => {
  await using stage = await openStage();
  const env = settingsOf(stage);
  expect((await operateAtTerminal({ env }, "doctor")).shown).toContain(escape);
  expect((await operateAtTerminal({ env: { ...env, NO_COLOR: "1" } }, "doctor")).shown).not.toContain(escape);
  expect((await operateWith(env, "doctor")).out).not.toContain(escape);
});

test("a customer's text can't control the operator's terminal", async () => {
  await using stage = await openStage();
  const evil = `${escape}2Jgone`;
  await stage.ctx.store.client.execute({
    sql: "INSERT INTO audit_log (id, at, actor, actor_kind, action, subject, reason) VALUES ('z', 0, 'x', 'shop', 'x.y', 'z', ?)",
    args: [evil],
  });
  const { shown } = await operateAtTerminal({ env: settingsOf(stage) }, "audit", "show", "z");
  expect(shown).toContain("gone");
  expect(shown).not.toContain(evil);
});
