import { and, eq, lte, or } from "drizzle-orm";
import type { Ctx } from "./context";
import { leases } from "./schema";

/** Work that one process does at a time; `holder` is unique to a process. */
export type Lease = { name: string; holder: string; milliseconds: number };

/** Takes or renews a lease in one atomic statement; false while another process has it. */
export async function holdLease(ctx: Ctx, { name, holder, milliseconds }: Lease): Promise<boolean> {
  const now = ctx.now();
  const until = new Date(now.getTime() + milliseconds);
  const [mine] = await ctx.store.db
    .insert(leases)
    .values({ name, holder, until })
    .onConflictDoUpdate({
      target: leases.name,
      set: { holder, until },
      setWhere: or(eq(leases.holder, holder), lte(leases.until, now)),
    })
    .returning();
  return mine !== undefined;
}

/** Lets another process have it at once. */
export async function dropLease(ctx: Ctx, { name, holder }: Lease): Promise<void> {
  await ctx.store.db.delete(leases).where(and(eq(leases.name, name), eq(leases.holder, holder)));
}

/** Takes it from whoever has it. Only for who knows that no other process is alive. */
export async function freeLease(ctx: Ctx, name: string): Promise<void> {
  await ctx.store.db.delete(leases).where(eq(leases.name, name));
}
