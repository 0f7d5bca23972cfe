import type { World } from "../world";

export type Deed = { actor: string; action: string; target: string; role?: string; reason: string | null };

/** Writes the server's audit log; `reason` is what the call's `X-Audit-Log-Reason` said. */
export function note(world: World, { actor, action, target, role, reason }: Deed) {
  const id = world.ids.snowflake();
  world.store.put("audit", { id, action, actor, target, role: role ?? null, reason });
}
