import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { update, updatePlatform, updateQuery } from "@/contract/wire/application";
import { type Channel, channels, platforms, systems } from "@/contract/vocabulary/builds";
import { Refusal } from "@/core/base/refusal";
import { actorOf, type TokenOwner } from "@/domain/application/token-owner";
import { rolloutBucket } from "@/domain/application/rollout-bucket";
import { evaluateLicences } from "@/domain/application/evaluate-licences";
import { buildOfVersion, type Release } from "@/domain/releases/current";
import {
  type FeedRequest,
  electronFeed,
  feedPath,
  isNewer,
  offeredRelease,
  requiredVersion,
} from "@/domain/releases/feed";
import { needsToken } from "../answers";
import { requireApiKey } from "../bearer";
import { answerWithBuild } from "../builds";
import type { Shop } from "../shop";
import { validationBody } from "../validation-answers";
import { applicationRouter, notValidAnswer } from "./application";

const tags = ["Application"];

/** /api/app/v1/update: updates for the desktop application. */
export function updateRoutes(shop: Shop) {
  const { ctx } = shop;
  const owner = requireApiKey(shop);
  return applicationRouter()
    .openapi(
      createRoute({
        method: "get",
        path: "/{platform}",
        tags,
        summary: "The newest release for a system, or a feed for electron-updater",
        description: `A system (${systems.join(", ")}) answers JSON; a feed's file name, such as \`latest-linux-arm64.yml\`, answers YAML, or 404 if there is no such feed.`,
        security: needsToken,
        middleware: [owner] as const,
        request: { params: z.object({ platform: updatePlatform }), query: updateQuery },
        responses: {
          200: {
            description: "What this device is offered",
            content: { "application/json": { schema: update }, "text/yaml": { schema: z.string() } },
          },
          "4XX": notValidAnswer,
        },
      }),
      async (c) => {
        const refused = withoutLicence(c, shop, c.get("tokenOwner"));
        if (refused) return refused;
        const { version, hwid_hash: hwidHash } = c.req.valid("query");
        const { platform } = c.req.valid("param");
        const asked = readPlatform(platform, c.req.valid("query").channel);
        if (!asked) throw new Refusal("build_unknown");
        const device = await rolloutBucket(ctx, c.get("tokenOwner"), hwidHash);
        const release = await offeredRelease(ctx, { ...asked, device, version });
        if (platform.endsWith(".yml")) return yaml(release);
        const required = version !== undefined && (await requiredVersion(ctx, version)) !== null;
        const data = release && { ...onTheWire(release), newer: isNewer(release, version), required };
        return c.json({ status: 200 as const, code: "VALID" as const, data }, 200);
      },
    )
    .openapi(
      createRoute({
        method: "get",
        path: "/files/{version}/{platform}/{name}",
        tags,
        summary: "A file of an update",
        security: needsToken,
        middleware: [owner] as const,
        request: {
          params: z.object({
            version: z.string().max(64),
            platform: z.enum(platforms),
            name: z.string().max(128),
          }),
        },
        responses: {
          200: {
            description: "As the calls under /api/download",
            content: { "application/octet-stream": { schema: z.string().meta({ format: "binary" }) } },
          },
          "4XX": notValidAnswer,
        },
      }),
      async (c) => {
        const refused = withoutLicence(c, shop, c.get("tokenOwner"));
        if (refused) return refused;
        const { version, platform, name } = c.req.valid("param");
        const found = await buildOfVersion(ctx, version, platform);
        const named = found?.build.fileName === name ? found : null;
        return answerWithBuild(c, shop, named, actorOf(c.get("tokenOwner")));
      },
    );
}

function withoutLicence(c: Context, shop: Shop, owner: TokenOwner): Response | null {
  const result = evaluateLicences(shop.ctx, owner);
  return result.code === "VALID" ? null : c.json(validationBody(result), 403);
}

/** Parses `windows` or a feed's file name: `latest.yml`, `beta-mac.yml`, `latest-linux-arm64.yml`; null if it is neither. */
function readPlatform(name: string, wanted: Channel = "latest"): FeedRequest | null {
  const asked = systems.find((one) => one === name);
  if (asked) return { channel: wanted, system: asked, architecture: null };
  const [, prefix, suffix, arm] = /^([a-z]+)(?:-(mac|linux))?(-arm64)?\.yml$/.exec(name) ?? [];
  const channel = channels.find((one) => one === prefix);
  if (!channel) return null;
  const system = suffix === "mac" || suffix === "linux" ? suffix : "windows";
  // on a Mac the updater itself chooses, by the file's name
  const architecture = arm ? "arm64" : system === "mac" ? null : "x64";
  return { channel, system, architecture };
}

function yaml(release: Release | null): Response {
  if (!release) throw new Refusal("build_unknown");
  return new Response(electronFeed(release), { headers: { "content-type": "text/yaml; charset=utf-8" } });
}

const onTheWire = (release: Release) => ({
  version: release.version,
  date: release.publishedAt.toISOString(),
  title: release.title,
  content: release.content,
  files: release.builds.map((build) => ({
    platform: build.platform,
    name: build.fileName,
    url: feedPath(release, build),
    size: build.size,
    sha256: build.sha256,
    sha512: build.sha512,
    signature: build.signature,
  })),
});
