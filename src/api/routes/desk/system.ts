import { createRoute } from "@hono/zod-openapi";
import { system } from "@/contract/wire/desk/system";
import { release } from "@/core/database/release";
import { beginCheckup, systemShown } from "@/domain/system/system";
import { answers, ok } from "../../answers";
import { deskCall } from "../../desk-guards";
import { newRouter } from "../../route-guards";
import type { Shop } from "../../shop";

/** /api/desk/system: the shop's state. */
export function deskSystemRoutes(shop: Shop) {
  const { ctx, checkups } = shop;
  return newRouter()
    .openapi(
      createRoute({
        ...deskCall(shop, "system.read"),
        method: "get",
        path: "/system",
        summary: "The shop's state, as far as it knows without asking other services",
        responses: answers("The shop's state", system),
      }),
      async (c) => c.json(ok(onTheWire(shop, await systemShown(ctx, c.get("desk").actor))), 200),
    )
    .openapi(
      createRoute({
        ...deskCall(shop, "system.check"),
        method: "post",
        path: "/system/check",
        summary: "Have the shop check itself, Stripe, Discord and the mail server",
        description:
          "Answers right away with `checking`; the new findings follow within a minute. Changes nothing, and needs no body.",
        responses: answers("The shop's state", system),
      }),
      async (c) => {
        beginCheckup(ctx, checkups, c.get("desk").actor);
        return c.json(ok(onTheWire(shop, await systemShown(ctx, c.get("desk").actor))), 200);
      },
    );
}

function stripeMode({ ctx, config }: Shop): "live" | "test" | "simulator" {
  if (ctx.livemode) return "live";
  return config.given.some(({ name, isSet }) => name === "STRIPE_SECRET_KEY" && isSet) ? "test" : "simulator";
}

function onTheWire(shop: Shop, state: Awaited<ReturnType<typeof systemShown>>) {
  const { goesBackTo, bytes, migrations, lanes, backup, restored, webhookAt, processes, checkup } = state;
  return {
    version: release.number,
    goes_back_to: goesBackTo,
    bun: Bun.version,
    database: { bytes, migrations },
    queues: lanes.map(({ oldestAt, ...queue }) => ({ ...queue, oldest_at: oldestAt.toISOString() })),
    backup: {
      last: backup && {
        at: backup.at.toISOString(),
        bytes: backup.bytes,
        place: backup.file.place,
      },
    },
    restored: restored && {
      at: restored.at.toISOString(),
      made: restored.made.toISOString(),
      copy: restored.copy,
    },
    discord: shop.botState(),
    stripe: {
      mode: stripeMode(shop),
      last_webhook_at: webhookAt?.toISOString() ?? null,
    },
    mail: shop.mailState(),
    processes: processes.map(({ id, version, startedAt, seenAt }) => ({
      id,
      version,
      started_at: startedAt.toISOString(),
      seen_at: seenAt.toISOString(),
      this: id === shop.processId,
    })),
    checked_at: checkup?.at.toISOString() ?? null,
    checking: shop.checkups.isRunning(),
    findings: checkup?.findings ?? [],
  };
}
