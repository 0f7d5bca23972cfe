import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Declaration } from "@/contract/operations/operation";
import { idOf } from "@/contract/vocabulary/fields";
import { deskAnswers } from "@/contract/wire/desk/answers";
import { envelope } from "@/contract/wire/envelope";
import { pageOf } from "@/contract/wire/desk/pages";
import { bodyOf, schemaOf } from "@/contract/wire/fields";
import { Refusal } from "@/core/base/refusal";
import { everyOperation } from "@/domain/operations/all";
import { type DeskServices, Pending } from "@/domain/operations/operation";
import { CheckoutRefused, CheckoutUnreachable } from "@/domain/payments/port/stripe";
import { permissionOf } from "@/domain/permissions";
import { answers, jsonBody, needsDesk, ok } from "../../answers";
import { type DeskEnv, deskOnly, needsCode } from "../../desk-guards";
import { newRouter } from "../../route-guards";
import type { Shop } from "../../shop";

/** Schemas take long to make, and every shop of this process has the same. */
const calls = everyOperation.map((operation) => ({ operation, call: callOf(operation.declared) }));

/** The calls of /api/desk that follow from the declarations of staff operations. */
export function deskOperationRoutes(shop: Shop) {
  const router = newRouter();
  for (const one of calls) addRoute(router, shop, one);
  return router;
}

/** A declared call as its description has it. */
function callOf(declared: Declaration) {
  const [method, path = ""] = declared.call.split(" ");
  const body = bodyOf(declared);
  const mayLack = !declared.takes && !declared.fields && declared.reason !== "required";
  return {
    method: method === "GET" ? ("get" as const) : ("post" as const),
    path: `/${path}`,
    tags: ["desk"],
    security: needsDesk,
    summary: declared.summary,
    ...describe(declared),
    request: {
      ...(path.includes("{id}") && {
        params: z.object({ id: schemaOf(declared.id ?? idOf({ label: "Id" })) }),
      }),
      ...(method === "GET"
        ? { query: body as z.ZodObject }
        : { body: { ...jsonBody(body).body, required: !mayLack } }),
    },
    responses: responsesOf(declared),
  };
}

function addRoute(
  router: ReturnType<typeof newRouter>,
  shop: Shop,
  { operation, call }: (typeof calls)[number],
): void {
  const { declared, find, run, answer } = operation;
  const isOfOne = "params" in call.request;
  const route = createRoute({ ...call, middleware: deskOnly(shop, permissionOf(declared)) });
  const handle = async (c: Context<DeskEnv>) => {
    const valid = c.req.valid.bind(c.req) as (target: "param" | "json" | "query") => Record<string, unknown>;
    const { reason = "", ...given } = valid(call.method === "get" ? "query" : "json");
    const desk = c.get("desk");
    const services = deskServices(shop, desk);
    const by = { actor: desk.actor, reason: String(reason) };
    return askingStripe(async () => {
      const subject = await find(shop.ctx, isOfOne ? String(valid("param")["id"]) : "");
      const result = await run(services, subject, given, by);
      const said = await answer(services, { result, subject, by });
      return said instanceof Pending
        ? c.json({ status: 202 as const, data: said.data }, 202)
        : c.json(ok(said), 200);
    });
  };
  router.openapi(route, handle as never);
}

function describe({ description, code }: Declaration) {
  const sentences = [description, code && needsCode].filter(Boolean).join(" ");
  return sentences === "" ? {} : { description: sentences };
}

function responsesOf({ answers: name, page, pending, means = "Its state now" }: Declaration) {
  const schema = deskAnswers[name] as z.ZodType;
  const now = answers(means, page ? pageOf(schema) : schema);
  if (!pending) return now;
  const later = envelope(deskAnswers[pending.answers] as z.ZodType).extend({ status: z.literal(202) });
  return {
    ...now,
    202: { description: pending.means, content: { "application/json": { schema: later } } },
  };
}

const deskServices = (shop: Shop, desk: DeskServices["desk"]): DeskServices => ({
  ctx: shop.ctx,
  limits: shop.limits,
  checkout: async () => shop.checkout,
  config: shop.config,
  desk,
  judgeRole: shop.judgeRole,
  mail: shop.mailState() === "off" ? "off" : "on",
  parts: shop.parts,
  newsChannelProblem: shop.newsChannelProblem,
  renderEmail: shop.renderEmail,
  tryService: shop.tryService,
  backups: shop.backups,
});

const away = "Stripe can't be reached right now. Please try again in a moment.";

/** What staff ask Stripe for. Refuses with `checkout_unreachable`, and with `checkout_refused` and Stripe's sentence. */
async function askingStripe<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof CheckoutUnreachable) throw new Refusal("checkout_unreachable", { sentence: away });
    if (error instanceof CheckoutRefused) throw new Refusal("checkout_refused", { sentence: error.message });
    throw error;
  }
}
