import { createRoute, z } from "@hono/zod-openapi";
import { isUnsubscribeToken, setSubscribed } from "@/domain/campaigns/unsubscribe";
import { refused } from "../answers";
import { limitRequests, newRouter } from "../route-guards";
import type { Shop } from "../shop";

const tags = ["Emails"];
const page = {
  200: { description: "A page", content: { "text/html": { schema: z.string() } } },
  "4XX": refused,
  "5XX": refused,
};

const unsubscribeQuery = z.object({
  token: z.string().min(1).max(200).describe("From the link in an email"),
  again: z.literal("yes").optional().describe("Wants such emails again"),
});

/**
 * /api/unsubscribe: ends emails that are not about an order. GET changes nothing, because mail scanners follow every
 * link; mail programs POST to the same URL when the reader presses their button (RFC 8058).
 */
export function unsubscribeRoutes(shop: Shop) {
  const { ctx } = shop;
  return newRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/unsubscribe",
        tags,
        summary: "A page with a button that ends such emails",
        middleware: [limitRequests(shop, "other")] as const,
        request: { query: unsubscribeQuery },
        responses: page,
      }),
      async (c) => {
        const { token } = c.req.valid("query");
        const { askPage, brokenPage } = await pages();
        return c.html(isUnsubscribeToken(ctx, token) ? askPage(token) : brokenPage(), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/unsubscribe",
        tags,
        summary: "End such emails",
        description:
          "One-click unsubscribe (RFC 8058): the link's token is all it takes, and a body is not read.",
        middleware: [limitRequests(shop, "other")] as const,
        request: { query: unsubscribeQuery },
        responses: page,
      }),
      async (c) => {
        const { token, again } = c.req.valid("query");
        await setSubscribed(ctx, token, again === "yes");
        const { againPage, donePage } = await pages();
        return c.html(again === "yes" ? againPage() : donePage(token), 200);
      },
    );
}

const pages = () => import("../unsubscribe-page");
