import { createRoute, z } from "@hono/zod-openapi";
import { downloads, freeDownloads, paidPlatforms, platforms } from "@/contract/vocabulary/builds";
import {
  type Build,
  changelogEntry,
  type CurrentRelease,
  currentRelease,
  fileSizes,
} from "@/contract/wire/releases";
import { changelog } from "@/domain/releases/changelog";
import { currentRelease as readCurrent, type Release } from "@/domain/releases/current";
import { asPem, shopKeyOf } from "@/domain/releases/signatures";
import { answers, ok } from "../answers";
import { limited, newRouter } from "../route-guards";
import type { Shop } from "../shop";

/** /api/version: the changelog and the current release. */
export function versionRoutes(shop: Shop) {
  const { ctx } = shop;
  const counted = limited(shop, "public");
  return newRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/logs",
        tags: ["Downloads"],
        summary: "The changelog",
        middleware: [counted] as const,
        responses: answers("Newest first", z.array(changelogEntry)),
      }),
      async (c) => {
        const entries = await changelog(ctx);
        return c.json(
          ok(entries.map(({ date, title, content }) => ({ date: date.toISOString(), title, content }))),
          200,
        );
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/filesizes",
        tags: ["Downloads"],
        summary: "How large the current release's files are",
        middleware: [counted] as const,
        responses: answers("Bytes; null if there is no such file", fileSizes),
      }),
      async (c) => {
        const release = await readCurrent(ctx);
        return c.json(ok(byPlatform(paidPlatforms, (name) => buildFor(release, name)?.size ?? null)), 200);
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/builds",
        tags: ["Downloads"],
        summary: "The current release with its checksums and signatures",
        middleware: [counted] as const,
        responses: answers("null before the first release", currentRelease.nullable()),
      }),
      async (c) => {
        const release = await readCurrent(ctx);
        return c.json(ok(release && onTheWire(release, asPem(shopKeyOf(ctx, release)))), 200);
      },
    );
}

function onTheWire(release: Release, shopKey: string): CurrentRelease {
  return {
    version: release.version,
    date: release.publishedAt.toISOString(),
    title: release.title,
    content: release.content,
    signing_key: release.signingKey ?? shopKey,
    builds: byPlatform(platforms, (platform): Build | null => {
      const build = buildFor(release, platform);
      if (!build) return null;
      const { size, sha256, sha512, signature } = build;
      const { path } = { ...downloads, ...freeDownloads }[platform];
      return { name: build.fileName, path, size, sha256, sha512, signature };
    }),
  };
}

const buildFor = (release: Release | null, platform: string) =>
  release?.builds.find((build) => build.platform === platform);

const byPlatform = <N extends string, V>(names: readonly N[], value: (name: N) => V) =>
  Object.fromEntries(names.map((name) => [name, value(name)])) as Record<N, V>;
