import { eq, inArray } from "drizzle-orm";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { keepFact } from "@/core/database/key-values";
import { ConfigError, type Config } from "@/core/settings/config";
import { keyValues } from "@/core/database/schema";
import { staff } from "@/domain/schema/staff";

/** What is a simulator in a demo; its other services are real. */
export type Simulated = { stripe: boolean };

/** The first since this release; those of earlier demos alone after it. */
const facts = ["stripe_simulated", "demo_filled", "demo_year", "demo_webhooks"] as const;

const demos = "This database is a demo's, whose sales nobody has paid";

/** Refuses ({@link ConfigError}) a database whose sales were paid at a simulator. */
export async function expectReal(ctx: Pick<Ctx, "store">): Promise<void> {
  if (await isDemos(ctx)) {
    throw new ConfigError(`${demos}: use another folder or database for a real shop.`);
  }
}

/** The same wherever Stripe's own keys are used. */
export async function expectRealWith(
  { stripe }: Pick<Config, "stripe">,
  ctx: Pick<Ctx, "store">,
): Promise<void> {
  if (stripe && !stripe.apiUrl) await expectReal(ctx);
}

/** Refuses ({@link ConfigError}) a demo in a real shop's database, and notes for good that sales here are simulated. */
export async function beginDemo(ctx: Ctx, { stripe }: Simulated): Promise<void> {
  const { db } = ctx.store;
  if (!(await isDemos(ctx)) && (await db.$count(staff, eq(staff.role, "owner"))) > 0) {
    throw new ConfigError(
      "This database is a real shop's, and the demo takes no part in it: start the shop with NODE_ENV=production.",
    );
  }
  if (stripe) await commit(ctx.store, [keepFact(ctx, facts[0], ctx.now().toISOString())]);
}

const isDemos = async ({ store }: Pick<Ctx, "store">): Promise<boolean> =>
  (await store.db.$count(keyValues, inArray(keyValues.name, [...facts]))) > 0;
