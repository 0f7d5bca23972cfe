import { commit } from "@/core/database/commit";
import { newId } from "@/core/database/context";
import { accounts } from "@/domain/schema/accounts";
import { linkRoles, links } from "@/domain/schema/discord";
import { licences } from "@/domain/schema/licences";
import type { Stage } from "../shop/stage";
import { roleIdOf } from "./discord";

/**
 * Fills the server with this many members who have a level and its role from the shop, written directly to the simulator
 * and the database. Resolves to their Discord ids and their accounts, in the same order.
 */
export async function fillServer(
  stage: Stage,
  count: number,
  { level = "premium", role = "Premium" }: { level?: string; role?: string } = {},
) {
  const { members } = await stage.atDiscord("seed-members", { count, roles: [role] });
  const roleId = await roleIdOf(stage, role);
  const userIds: string[] = members.map((one: { id: string }) => one.id);
  const accountIds = userIds.map(() => newId());
  const { db } = stage.ctx.store;
  const now = stage.ctx.now();
  for (let from = 0; from < count; from += 500) {
    const page = accountIds
      .slice(from, from + 500)
      .map((id, at) => ({ id, userId: userIds[from + at] ?? "" }));
    await commit(stage.ctx.store, [
      db.insert(accounts).values(
        page.map(({ id }) => ({
          id,
          username: id,
          usernameKey: id,
          email: `${id}@example.com`,
          emailKey: `${id}@example.com`,
          passwordHash: "",
          timezone: "UTC",
          createdAt: now,
        })),
      ),
      db.insert(licences).values(
        page.map(({ id }) => ({
          id: newId(),
          keyHash: id,
          keySealed: "",
          level,
          chain: level,
          accountId: id,
          redeemedAt: now,
          createdAt: now,
        })),
      ),
      db.insert(links).values(
        page.map(({ id, userId }) => ({
          accountId: id,
          discordUserId: userId,
          linkedAt: now,
          member: true,
          holdsRole: true,
          heldLevels: [level],
          checkedAt: now,
        })),
      ),
      db.insert(linkRoles).values(page.map(({ userId: discordUserId }) => ({ discordUserId, roleId }))),
    ]);
  }
  return { userIds, accountIds };
}

/** Waits until exactly these hold the role; resolves to the milliseconds it took. */
export async function timeUntilHeld(
  stage: Stage,
  wanted: string[],
  timeoutMilliseconds: number,
  role?: string,
): Promise<number> {
  const began = performance.now();
  const right = wanted.toSorted().join(" ");
  for (;;) {
    const { holders } = await stage.atDiscord(role ? `holders?role=${role}` : "holders");
    const took = performance.now() - began;
    if (holders.toSorted().join(" ") === right) return took;
    if (took > timeoutMilliseconds) throw new Error(`${holders.length} hold the role, not ${wanted.length}`);
    await Bun.sleep(250);
  }
}
