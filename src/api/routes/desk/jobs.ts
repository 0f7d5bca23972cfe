import { createRoute, z } from "@hono/zod-openapi";
import { bulkBody, deskJob, issueBody, jobStarted } from "@/contract/wire/desk/jobs";
import { reasonBody } from "@/contract/wire/desk/reason";
import { licencesChosen } from "@/domain/desk/chosen-licences";
import { cancelJob, jobForStaff, keysOfJob } from "@/domain/jobs/for-staff";
import { makeBulk, makeIssue, previewBulk, previewIssue } from "@/domain/jobs/make";
import { answers, jsonBody, needsDesk, ok, refused } from "../../answers";
import { byDesk, deskOnly, whileAtDesk } from "../../desk-guards";
import { newRouter } from "../../route-guards";
import type { Shop } from "../../shop";
import { streamed } from "../../streamed";
import { id } from "@/contract/wire/envelope";

const params = z.object({ id });

/** /api/desk: jobs that change or issue many licences. */
export function deskJobRoutes(shop: Shop) {
  const { ctx } = shop;
  return newRouter()
    .openapi(
      createRoute({
        method: "post",
        path: "/licences/bulk",
        tags: ["desk"],
        summary: "Extend, suspend, reinstate or revoke many licences",
        description:
          "The licences are chosen when the job is made. With `preview`, it only counts them; without, it needs a fresh code (`confirm`).",
        security: needsDesk,
        middleware: [deskOnly(shop, "licence.bulk")] as const,
        request: jsonBody(bulkBody),
        responses: answers("The job's id, or the preview", jobStarted),
      }),
      async (c) => {
        const { action, ids, filter = {}, days = null, preview, reason } = c.req.valid("json");
        const bulk = { action, days, chosen: ids ? [ids] : licencesChosen(ctx, filter) };
        const by = byDesk(c, reason);
        if (preview) return c.json(ok(await previewBulk(ctx, bulk, by)), 200);
        return c.json(ok({ job: await makeBulk(ctx, bulk, by) }), 200);
      },
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/licences/issue",
        tags: ["desk"],
        summary: "Issue many licences of an offer without a payment",
        description:
          "With `email`, all keys are mailed there in one email; without it, they can be downloaded for seven days. Needs a fresh code (`confirm`), except with `preview`.",
        security: needsDesk,
        middleware: [deskOnly(shop, "licence.issue")] as const,
        request: jsonBody(issueBody),
        responses: answers("The job's id, or the preview", jobStarted),
      }),
      async (c) => {
        const { offer, count, email = null, preview, reason } = c.req.valid("json");
        const wanted = { offer, count, email };
        const by = byDesk(c, reason);
        if (preview) return c.json(ok(await previewIssue(ctx, wanted, by)), 200);
        return c.json(ok({ job: await makeIssue(ctx, wanted, by) }), 200);
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/jobs/{id}",
        tags: ["desk"],
        summary: "A job's progress, and which licences it refused",
        security: needsDesk,
        middleware: [deskOnly(shop, "licence_job.read")] as const,
        request: { params },
        responses: answers("The job", deskJob),
      }),
      async (c) => c.json(ok(await jobForStaff(ctx, c.get("desk").actor, c.req.valid("param").id)), 200),
    )
    .openapi(
      createRoute({
        method: "post",
        path: "/jobs/{id}/cancel",
        tags: ["desk"],
        summary: "Cancel a job; what is already done stays done",
        security: needsDesk,
        middleware: [deskOnly(shop, "licence_job.cancel")] as const,
        request: { params, ...jsonBody(reasonBody) },
        responses: answers("The job", deskJob),
      }),
      async (c) => {
        const { id } = c.req.valid("param");
        await cancelJob(ctx, id, byDesk(c, c.req.valid("json").reason));
        return c.json(ok(await jobForStaff(ctx, c.get("desk").actor, id)), 200);
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/jobs/{id}/keys.csv",
        tags: ["desk"],
        summary: "Download the whole keys that a job issued, for seven days; the download is logged",
        description: "Needs a fresh code (`confirm`).",
        security: needsDesk,
        middleware: [deskOnly(shop, "licence.reveal_key")] as const,
        request: { params },
        responses: {
          200: {
            description: "`key,days`, one licence a line; `days` is empty for a lifetime",
            content: { "text/csv": { schema: z.string() } },
          },
          "4XX": refused,
          "5XX": refused,
        },
      }),
      async (c) => {
        const { id } = c.req.valid("param");
        const { actor } = c.get("desk");
        const pages = await keysOfJob(ctx, actor, id);
        const lines = whileAtDesk(c, shop, { operation: "licence.reveal_key", pages });
        const headers = {
          "content-type": "text/csv; charset=UTF-8",
          "content-disposition": 'attachment; filename="keys.csv"',
          "cache-control": "private, no-store",
        };
        return streamed(c, { ctx, accountId: actor.accountId, headers }, lines);
      },
    );
}
