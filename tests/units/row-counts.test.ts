import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { commit, mustHaveChanged } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { openStore } from "@/core/database/database";
import { countAccounts } from "@/domain/accounts/sessions/account";
import { accounts } from "@/domain/schema/accounts";

const account = (name: string) => ({
  id: name,
  username: name,
  usernameKey: name,
  email: `${name}@example.com`,
  emailKey: `${name}@example.com`,
  passwordHash: "",
  timezone: "UTC",
  createdAt: new Date(0),
});

test("accounts are counted as they are added and removed, without affecting the guards of a commit", async () => {
  const folder = mkdtempSync(join(tmpdir(), "row-counts-"));
  const store = await openStore({ url: `file:${join(folder, "shop.db")}` });
  const ctx = { store } as Ctx;
  const remove = (name: string) => store.db.delete(accounts).where(eq(accounts.id, name));
  try {
    expect(await countAccounts(ctx)).toBe(0);
    await store.db.insert(accounts).values(["ann", "bob", "cy"].map(account));
    await commit(store, [remove("bob"), mustHaveChanged("conflict")]);
    expect(await countAccounts(ctx)).toBe(2);
    const nobody = commit(store, [
      store.db.insert(accounts).values(account("dee")),
      mustHaveChanged("conflict"),
      remove("nobody"),
      mustHaveChanged("conflict"),
    ]);
    expect(nobody).rejects.toThrow("conflict");
    await nobody.catch(() => {});
    expect(await countAccounts(ctx)).toBe(2);
  } finally {
    store.close();
    rmSync(folder, { recursive: true });
  }
});
