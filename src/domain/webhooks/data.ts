import { eq } from "drizzle-orm";
import type { WebhookData, WebhookType } from "@/contract/webhooks";
import type { Entry } from "@/core/audit";
import type { Ctx } from "@/core/context";
import { linkOf } from "../discord/links";
import { accountResource } from "../resources/accounts";
import { licenseResource } from "../resources/licences";
import { orderResource } from "../resources/orders";
import { tickets } from "../schema/tickets";
import type { WebhookEvent } from "./events";

/** The data of an event, and whose email or Discord user it holds. */
export type Told = { data: WebhookData; accountId: string | null; email: string | null };

/** The data when the event is first read; null if its row is gone, which leaves nothing to report. */
export async function dataOf(ctx: Ctx, about: { entry: Entry; event: WebhookEvent }): Promise<Told | null> {
  const family = about.event.type.split(".")[0] as keyof typeof families;
  return families[family](ctx, about);
}

type About = { entry: Entry; event: WebhookEvent };
type Family = WebhookType extends `${infer F}.${string}` ? F : never;

const families: Record<Family, (ctx: Ctx, about: About) => Promise<Told | null> | Told | null> = {
  async order(ctx, { event }) {
    const data = await orderResource(ctx, event.id);
    return data && { data, accountId: data.account, email: data.email };
  },
  async license(ctx, { event }) {
    const license = await licenseResource(ctx, event.id);
    if (!license || !event.cause) return null;
    return { data: { ...license, cause: event.cause }, accountId: license.account, email: license.email };
  },
  async account(ctx, { event: { id } }) {
    const data = (await accountResource(ctx, id)) ?? { account: id, email: null };
    return { data, accountId: id, email: data.email };
  },
  async discord(ctx, { event: { id, type } }) {
    const link = type === "discord.linked" ? await linkOf(ctx, id) : undefined;
    return { data: { account: id, discord: link?.discordUserId ?? null }, accountId: id, email: null };
  },
  async ticket(ctx, { entry, event: { id } }) {
    const [now] = await ctx.store.db
      .select({ accountId: tickets.accountId })
      .from(tickets)
      .where(eq(tickets.id, id));
    const account = now ? now.accountId : entry.accountId;
    return { data: { ticket: id, account }, accountId: null, email: null };
  },
  release(_, { entry: { detail } }) {
    const { version, channel } = detail ?? {};
    if (typeof version !== "string" || typeof channel !== "string") return null;
    return { data: { version, channel }, accountId: null, email: null };
  },
  webhook: (_, { event }) => ({ data: { endpoint: event.id }, accountId: null, email: null }),
};
