import { createRoute, z } from "@hono/zod-openapi";
import { attention } from "@/contract/wire/desk/attention";
import {
  customerDetails as customerShape,
  licenceDetails as licenceShape,
  noteBody,
  noteRow,
  paymentDetails as paymentShape,
  subscriptionDetails as subscriptionShape,
  ticketDetails as ticketShape,
} from "@/contract/wire/desk/details";
import { searchBody, searchResult } from "@/contract/wire/desk/search";
import { attentionFor } from "@/domain/desk/attention";
import { customerDetails } from "@/domain/desk/customer-details";
import { licenceDetails } from "@/domain/desk/licence-details";
import { noteOnDesk } from "@/domain/desk/notes";
import { paymentDetails } from "@/domain/desk/payment-details";
import { searchDesk } from "@/domain/desk/search";
import { subscriptionDetails } from "@/domain/desk/subscription-details";
import { ticketDetails } from "@/domain/desk/ticket-details";
import { answers, jsonBody, needsDesk, ok } from "../../answers";
import { deskOnly } from "../../desk-guards";
import { newRouter } from "../../route-guards";
import type { Shop } from "../../shop";
import { id } from "@/contract/wire/envelope";

const named = z.object({ id });
const nothing = z.strictObject({});

/** /api/desk: the details of a row, the search, and what needs attention. */
export function deskReadingRoutes(shop: Shop) {
  const { ctx } = shop;
  const common = { tags: ["desk"], security: needsDesk };
  const reads = { ...common, middleware: deskOnly(shop, "desk.read") };
  const one = <N extends string, S extends z.ZodType>(noun: N, summary: string, shape: S) =>
    createRoute({
      ...reads,
      method: "get",
      path: `/${noun}/{id}` as const,
      summary,
      request: { params: named, query: nothing },
      responses: answers("The row, and what belongs to it", shape),
    });
  return newRouter()
    .openapi(one("customers", "A customer, and what belongs to them", customerShape), async (c) =>
      c.json(ok(await customerDetails(ctx, c.get("desk").actor, c.req.valid("param").id)), 200),
    )
    .openapi(one("payments", "A payment, its licences and refunds", paymentShape), async (c) =>
      c.json(ok(await paymentDetails(ctx, c.get("desk").actor, c.req.valid("param").id)), 200),
    )
    .openapi(one("licences", "A licence, its key masked", licenceShape), async (c) =>
      c.json(ok(await licenceDetails(ctx, c.get("desk").actor, c.req.valid("param").id)), 200),
    )
    .openapi(one("subscriptions", "A subscription, its licence and payments", subscriptionShape), async (c) =>
      c.json(ok(await subscriptionDetails(ctx, c.get("desk").actor, c.req.valid("param").id)), 200),
    )
    .openapi(one("tickets", "A ticket with its newest messages and notes", ticketShape), async (c) =>
      c.json(ok(await ticketDetails(ctx, c.get("desk").actor, c.req.valid("param").id)), 200),
    )
    .openapi(
      createRoute({
        ...reads,
        method: "post",
        path: "/search",
        summary: "Search customers, payments, licences and tickets",
        description:
          "A `POST`, so that keys and addresses don't end up in URLs. If it finds one customer, it also finds their payments, licences and tickets.",
        request: jsonBody(searchBody),
        responses: answers("At most five of each", searchResult),
      }),
      async (c) => c.json(ok(await searchDesk(ctx, c.get("desk").actor, c.req.valid("json").q)), 200),
    )
    .openapi(
      createRoute({
        ...reads,
        method: "get",
        path: "/attention",
        summary: "What needs attention, and where it can be settled",
        request: { query: nothing },
        responses: answers("Only kinds that have something", attention),
      }),
      async (c) => c.json(ok(await attentionFor(ctx, c.get("desk").actor)), 200),
    )
    .openapi(
      createRoute({
        ...common,
        middleware: deskOnly(shop, "customer.note"),
        method: "post",
        path: "/customers/{id}/notes",
        summary: "Write a note about a customer, for all staff",
        description: "It is deleted with the account, and is part of the account's export.",
        request: { params: named, ...jsonBody(noteBody) },
        responses: answers("The note", noteRow),
      }),
      async (c) => {
        const { text } = c.req.valid("json");
        const about = { customer: c.req.valid("param").id, text };
        return c.json(ok(await noteOnDesk(ctx, c.get("desk").actor, about)), 200);
      },
    );
}
