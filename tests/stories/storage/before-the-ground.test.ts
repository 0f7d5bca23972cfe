import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "bun:test";
import { createClient } from "@libsql/client";
import { openStore } from "@/core/database/database";
import { libsqlProgram, startLibsqlServer } from "../../support/network/libsql-server";
import { operate, operateWith, settingsOf } from "../../support/operator/run-operator";
import { backUpStage } from "../../support/shop/back-up";
import { openStage } from "../../support/shop/stage";

const scratch = await mkdtemp(join(tmpdir(), "latchkey-before-"));
afterAll(() => rm(scratch, { recursive: true, force: true }));

const sentence = (file: string) =>
  `The database ${file} was made before release 0.3.0, and databases are upgraded only from that one on: begin with a new database.`;

const saidBy = (refused: Promise<unknown>): Promise<string> => refused.then(() => "nothing", String);

/** Turns a database into one whose first migration was another, older one. */
async function age(url: string) {
  const client = createClient({ url });
  // the ground of 0.1 and 0.2
  await client.execute("UPDATE __drizzle_migrations SET created_at = 1795252064275");
  return {
    recorded: async () =>
      JSON.stringify((await client.execute("SELECT * FROM installation ORDER BY name")).rows),
    close: () => client.close(),
  };
}

test("a database of 0.1 or 0.2 is refused in one sentence by a start, a command and a restore, and stays as it is", async () => {
  await using stage = await openStage();
  const file = join(stage.dataDir, "shop.db");
  const old = await age(pathToFileURL(file).href);
  const folder = join(scratch, "backups");
  const name = await backUpStage(stage, folder);
  const before = await old.recorded();
  expect(await saidBy(stage.restart())).toContain(sentence(file));
  for (const command of [["doctor"], ["offers", "list"], ["take-over", "--reason", "none"]]) {
    expect(await operate(stage, ...command)).toMatchObject({
      code: 1,
      err: expect.stringContaining(sentence(file)),
    });
  }
  expect(await old.recorded()).toBe(before);
  old.close();
  const machine = join(scratch, "machine");
  const env = { ...settingsOf(stage), DATA_DIR: machine };
  const restored = await operateWith(env, "restore", join(folder, name), "--reason", "none");
  const to = join(machine, "shop.db");
  expect(restored).toMatchObject({ code: 1, err: expect.stringContaining(sentence(to)) });
  expect(await Bun.file(to).exists()).toBe(false);
});

const found = libsqlProgram();

test.skipIf("missing" in found)("one on a libSQL server is refused in the same words", async () => {
  const server = await startLibsqlServer("program" in found ? found.program : "");
  try {
    (await openStore({ url: server.url })).close();
    (await age(server.url)).close();
    expect(await saidBy(openStore({ url: server.url }))).toContain(sentence(server.url));
  } finally {
    await server.stop();
  }
});
