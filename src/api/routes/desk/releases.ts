import { createRoute } from "@hono/zod-openapi";
import { pageOf } from "@/contract/wire/desk/pages";
import { reasonBody } from "@/contract/wire/desk/reason";
import {
  releaseRow,
  type ReleaseRow,
  releasesQuery,
  rolloutBody,
  versionParams,
} from "@/contract/wire/desk/releases";
import { type ReleaseShown, releaseShown, releasesShown } from "@/domain/releases/for-staff";
import { setRollout, yank } from "@/domain/releases/publish";
import { answers, jsonBody, ok } from "../../answers";
import { asked, deskCall, deskPage, needsCode } from "../../desk-call";
import { byDesk } from "../../desk-guards";
import { newRouter } from "../../route-guards";
import type { Shop } from "../../shop";

/** /api/desk/releases: the versions of the application. */
export function deskReleaseRoutes(shop: Shop) {
  const { ctx } = shop;
  return newRouter()
    .openapi(
      createRoute({
        ...deskCall(shop, "release.read"),
        method: "get",
        path: "/releases",
        summary: "Every release, including withdrawn ones, newest first",
        request: { query: releasesQuery },
        responses: answers("A page of the releases", pageOf(releaseRow)),
      }),
      async (c) => {
        const query = c.req.valid("query");
        const { channel } = query;
        const rows = await releasesShown(ctx, { channel, ...asked(query) }, c.get("desk").actor);
        return c.json(ok(deskPage(rows, query, { wire, place })), 200);
      },
    )
    .openapi(
      createRoute({
        ...deskCall(shop, "release.yank"),
        method: "post",
        path: "/releases/{id}/yank",
        summary: "Withdraw a release; the one before it becomes current again",
        description: needsCode,
        request: { params: versionParams, ...jsonBody(reasonBody) },
        responses: answers("The release", releaseRow),
      }),
      async (c) => {
        const { id: version } = c.req.valid("param");
        await yank(ctx, version, byDesk(c, c.req.valid("json").reason));
        return c.json(ok(wire(await releaseShown(ctx, version, c.get("desk").actor))), 200);
      },
    )
    .openapi(
      createRoute({
        ...deskCall(shop, "release.roll_out"),
        method: "post",
        path: "/releases/{id}/rollout",
        summary: "Change the percentage of devices that are offered a release",
        description: needsCode,
        request: { params: versionParams, ...jsonBody(rolloutBody) },
        responses: answers("The release", releaseRow),
      }),
      async (c) => {
        const { id: version } = c.req.valid("param");
        const { rollout, reason } = c.req.valid("json");
        await setRollout(ctx, version, rollout, byDesk(c, reason));
        return c.json(ok(wire(await releaseShown(ctx, version, c.get("desk").actor))), 200);
      },
    );
}

const place = ({ id, publishedAt }: ReleaseShown) => ({ id, at: publishedAt });

const wire = (release: ReleaseShown): ReleaseRow => ({
  id: release.id,
  version: release.version,
  channel: release.channel,
  title: release.title,
  content: release.content,
  rollout: release.rollout,
  minimum_version: release.minimumVersion,
  own_key: release.signingKey !== null,
  published_at: release.publishedAt.toISOString(),
  yanked_at: release.yankedAt?.toISOString() ?? null,
  current: release.current,
  builds: release.builds.map(({ platform, fileName: name, size, sha256 }) => ({
    platform,
    name,
    size,
    sha256,
  })),
});
