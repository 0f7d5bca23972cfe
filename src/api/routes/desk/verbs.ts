import { createRoute, type OpenAPIHono, z } from "@hono/zod-openapi";
import type { By } from "@/core/base/actor";
import type { Operation } from "@/domain/permissions";
import type { AtDesk } from "@/domain/staff/desk-session";
import { answers, jsonBody, needsDesk, ok } from "../../answers";
import { type DeskEnv, deskOnly } from "../../desk-guards";
import { newRouter } from "../../route-guards";
import type { Env, Shop } from "../../shop";

type Called<B> = { id: string; body: B; by: By; desk: AtDesk };

/** An operation of staff on one thing: `POST /NOUN/{id}/VERB`. */
type Verb<B extends z.ZodType, A extends z.ZodType> = {
  path: `/${string}/{id}/${string}`;
  summary: string;
  description?: string;
  /** What the role must allow; the operation asks again. */
  operation: Operation;
  body: B;
  /** The schema of the answer. */
  data: A;
  act: (called: Called<z.output<B>>) => Promise<z.input<A>>;
};

/** Declares a {@link Verb} with the types of its body and answer. */
export const verb = <B extends z.ZodType, A extends z.ZodType>(declared: Verb<B, A>): DeskVerb =>
  declared as unknown as DeskVerb;

type DeskVerb = Verb<z.ZodType, z.ZodType>;

const params = z.object({ id: z.string().min(1).max(400) });

/** The routes of these verbs, each with its reason and the member of staff who calls. */
export function verbRoutes(shop: Shop, verbs: DeskVerb[]): OpenAPIHono<Env> {
  // each route's guard sets who calls
  const router = newRouter() as unknown as OpenAPIHono<DeskEnv>;
  for (const { path, summary, description, operation, body, data, act } of verbs) {
    const route = createRoute({
      method: "post",
      path,
      tags: ["desk"],
      summary,
      ...(description ? { description } : {}),
      security: needsDesk,
      middleware: [deskOnly(shop, operation)] as const,
      request: { params, ...jsonBody(body) },
      responses: answers("Its state now", data),
    });
    router.openapi(route, async (c) => {
      const typed = c.req.valid("json") as { reason?: string };
      const desk = c.get("desk");
      const by = { actor: desk.actor, reason: typed.reason ?? "" };
      const answer = await act({ id: c.req.valid("param").id, body: typed, by, desk });
      return c.json(ok(answer), 200) as never;
    });
  }
  return router as unknown as OpenAPIHono<Env>;
}
