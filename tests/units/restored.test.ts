import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { operator } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { openStore } from "@/core/database/database";
import { createSecrets } from "@/core/secrets/secrets";
import { noteRestored } from "@/domain/backups/restored";
import { accounts, emailConfirmations, recoveries } from "@/domain/schema/accounts";
import { staffInvitations, staffRequests } from "@/domain/schema/staff";

test("a restored backup brings no mailed link back to life: what became of it since is unknown", async () => {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-restored-"));
  const store = await openStore({ url: `file:${join(folder, "shop.db")}` });
  try {
    const now = new Date("2026-06-01T00:00:00Z");
    const secrets = createSecrets(new Uint8Array(32).fill(7));
    const ctx = { store, secrets, now: () => now, livemode: false } as unknown as Ctx;
    const { db } = store;
    const ada = { id: "ada", username: "ada", usernameKey: "ada", email: "ada@example.com" };
    await db.insert(accounts).values({ ...ada, passwordHash: "", timezone: "UTC", createdAt: now });
    const later = { expiresAt: new Date(now.getTime() + 1), createdAt: now };
    const code = { id: "one", accountId: "ada", codeSealed: "-" };
    await db.insert(staffInvitations).values({
      ...later,
      id: "one",
      email: "a@b.example",
      emailKey: "a@b.example",
      role: "owner",
      mailed: true,
    });
    await db.insert(staffRequests).values({ ...later, tokenHash: "-", accountId: "ada", asked: "{}" });
    await db.insert(emailConfirmations).values({ ...later, ...code, email: "a@b.example", byOwner: true });
    await db
      .insert(recoveries)
      .values({ ...later, ...code, browserHash: "-", addressHash: "-", askedAt: now });
    await noteRestored(ctx, now.toISOString(), { actor: operator, reason: "a backup" });
    for (const table of [staffInvitations, staffRequests, emailConfirmations, recoveries])
      expect(await db.$count(table)).toBe(0);
  } finally {
    store.close();
    rmSync(folder, { recursive: true });
  }
});
