/** Shops that start together on one libSQL server. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createClient } from "@libsql/client";
import { openStore } from "@/core/database/database";
import { migrationState } from "@/core/database/migrations";
import { libsqlProgram, type LibsqlServer, startLibsqlServer } from "../../support/network/libsql-server";

const found = libsqlProgram();

describe.skipIf("missing" in found)("first starts on one libSQL server", () => {
  let server: LibsqlServer;
  beforeEach(async () => {
    server = await startLibsqlServer("program" in found ? found.program : "");
  });
  afterEach(() => server.stop());

  const openTogether = async () => {
    const opened = await Promise.allSettled(Array.from({ length: 6 }, () => openStore({ url: server.url })));
    const stores = opened.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    const states: string[] = await Promise.all(stores.map(migrationState));
    const [store] = stores;
    const repeated = await store?.client.execute(
      "SELECT created_at FROM __drizzle_migrations GROUP BY created_at HAVING count(*) > 1",
    );
    for (const one of stores) one.close();
    return {
      refused: opened.flatMap((one) => (one.status === "rejected" ? [String(one.reason)] : [])),
      states,
      repeated: repeated?.rows.length,
    };
  };
  const wholeAndOnce = {
    refused: [] as string[],
    states: Array.from({ length: 6 }, () => "current" as const),
    repeated: 0,
  };

  test("each of them opens the database, and every migration is applied once", async () => {
    expect(await openTogether()).toEqual(wholeAndOnce);
    expect(await openTogether()).toEqual(wholeAndOnce);
  });

  test("the remains of a start killed before its migrations stop none of them", async () => {
    const client = createClient({ url: server.url });
    await client.execute(
      "CREATE TABLE __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)",
    );
    client.close();
    expect(await openTogether()).toEqual(wholeAndOnce);
  });
});
