import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { Refusal } from "@/core/base/refusal";
import { authorize, type Permission } from "@/domain/permissions";
import type { AtDesk } from "@/domain/staff/desk-session";
import { readCookie } from "./cookies";
import { signedInFrom } from "./route-guards";
import type { Env, Shop } from "./shop";
import { needsDesk } from "./answers";

export type DeskEnv = Env & { Variables: { desk: AtDesk } };

/**
 * Lets only staff pass who are on the desk and whose role allows the operation, before the body is read or validated.
 * Counts the call for the member of staff. The operation checks the role again.
 */
export const deskOnly = (shop: Shop, operation: Permission) =>
  createMiddleware<DeskEnv>(async (c, next) => {
    const desk = await deskFrom(c, shop);
    if (!desk) {
      shop.memory.spendByAddress(shop.limits.other, c.get("address"));
      throw new Refusal("unauthenticated");
    }
    shop.memory.spend(shop.limits.desk, desk.actor.accountId);
    authorize(desk, operation);
    c.set("desk", c.req.method === "POST" ? await afterBody(c, shop, operation) : desk);
    await next();
  });

/**
 * The member of staff once the whole body has arrived: a client decides how long that takes, and may be dismissed
 * meanwhile.
 */
async function afterBody(c: Context, shop: Shop, operation: Permission): Promise<AtDesk> {
  // kept by the request, for the validator
  await c.req.arrayBuffer();
  const desk = await expectDesk(c, shop);
  authorize(desk, operation);
  return desk;
}

/** The member of staff who calls, as of now. Refuses with `unauthenticated` if their desk has been closed. */
export async function expectDesk(c: Context, shop: Shop): Promise<AtDesk> {
  const desk = await deskFrom(c, shop);
  if (!desk) throw new Refusal("unauthenticated");
  return desk;
}

/**
 * The pages of a file, for as long as its reader is on the desk and their role allows the operation. A slow reader
 * could otherwise go on for hours after being dismissed.
 */
export async function* whileAtDesk<Page>(
  c: Context,
  shop: Shop,
  { operation, pages }: { operation: Permission; pages: AsyncIterable<Page> },
): AsyncGenerator<Page> {
  for await (const page of pages) {
    authorize(await expectDesk(c, shop), operation);
    yield page;
  }
}

/** The member of staff whose two cookies the request has, or null. */
async function deskFrom(c: Context, shop: Shop): Promise<AtDesk | null> {
  const token = readCookie(c, "desk", shop.config.publicUrl);
  if (!token) return null;
  const signedIn = await signedInFrom(c, shop);
  return signedIn && shop.readDesk(signedIn, token);
}

/** What every call of the desk declares: who may make it, and that it is described under `desk`. */
export const deskCall = (shop: Shop, operation: Permission) => ({
  tags: ["desk"],
  security: needsDesk,
  middleware: deskOnly(shop, operation),
});

/** For the description of a call. */
export const needsCode = "Needs a fresh code (`confirm`).";
