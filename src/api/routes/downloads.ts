import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import {
  downloadLockedNotice,
  downloads,
  freeDownloads,
  type PaidPlatform,
  paidPlatforms,
  type Platform,
  platforms,
  wantedFile,
} from "@/contract/vocabulary/builds";
import { type Application, customer, type SiteCustomer } from "@/core/base/actor";
import { Refusal } from "@/core/base/refusal";
import { evaluateLicences } from "@/domain/application/evaluate-licences";
import { actorOf } from "@/domain/application/token-owner";
import { currentBuild, currentRelease as readCurrent, type Release } from "@/domain/releases/current";
import {
  type Build,
  changelogEntry,
  type CurrentRelease,
  currentRelease,
  fileSizes,
} from "@/contract/wire/releases";
import { changelog } from "@/domain/releases/changelog";
import { asPem, shopKeyOf } from "@/domain/releases/signatures";
import { answers, ok, refused } from "../answers";
import { bearerToken, expectTokenOwner } from "../bearer";
import { answerWithBuild } from "../builds";
import { isFromElsewhere, limitRequests, newRouter, signedInWith } from "../route-guards";
import type { Env, Shop } from "../shop";

/** /api/download: the builds of the current release. */
export function downloadRoutes(shop: Shop) {
  const app = newRouter();
  // downloads have their own limits; this limit covers HEAD, 304 and refusals
  const middleware = limitRequests(shop, "other");
  for (const platform of paidPlatforms) {
    const call = { ...describe(platform, downloads[platform].path), middleware };
    app.openapi(call, async (c) => {
      const gate = await paidGate(c, shop, platform);
      if (gate instanceof Response) return gate;
      return answerWithBuild(c, shop, await currentBuild(shop.ctx, platform), gate);
    });
  }
  for (const platform of ["free", "rpc"] as const) {
    const call = { ...describe(platform, freeDownloads[platform].path), middleware };
    app.openapi(call, async (c) =>
      answerWithBuild(c, shop, await currentBuild(shop.ctx, platform), { address: c.get("address") }),
    );
  }
  return app;
}

const bytes = { "application/octet-stream": { schema: z.string().meta({ format: "binary" }) } };

/** The contract's paths are absolute, so these routes are mounted at the root of the API. */
const describe = (platform: Platform, path: string) =>
  createRoute({
    method: "get",
    path: path.replace(/^\/api/, ""),
    tags: ["Downloads"],
    summary: `The current release's build: ${platform}`,
    security: platform === "free" || platform === "rpc" ? [] : [{ session: [] }, { token: [] }],
    responses: {
      200: { description: "The whole file", content: bytes },
      206: { description: "The requested ranges; several come as multipart/byteranges", content: bytes },
      302: { description: "A browser without a session or license is redirected to a page" },
      304: { description: "The client's copy is current" },
      "4XX": refused,
      "5XX": refused,
    },
  });

/**
 * Who takes a paid download. Redirects a person's browser without access to where they can get
 * it, which remembers the file; refuses any other client with `unauthenticated` or `license_required`.
 */
async function paidGate(
  c: Context<Env>,
  shop: Shop,
  platform: PaidPlatform,
): Promise<Application | SiteCustomer | Response> {
  // a download counts, which another site's link must not cause
  if (isFromElsewhere(c) && isNavigation(c))
    return c.redirect(`/dashboard/download?${wantedFile}=${platform}`, 302);
  const taker = await takerOf(c, shop);
  if (taker?.entitled) return taker.actor;
  const signedIn = taker !== null;
  if (isNavigation(c)) {
    // a name of our own list, so that neither page can be told to lead elsewhere
    const to = signedIn ? `/dashboard?notice=${downloadLockedNotice}&` : "/login?";
    return c.redirect(`${to}${wantedFile}=${platform}`, 302);
  }
  throw new Refusal(signedIn ? "license_required" : "unauthenticated");
}

async function takerOf(c: Context<Env>, shop: Shop) {
  if (bearerToken(c)) {
    const owner = await expectTokenOwner(c, shop);
    return { actor: actorOf(owner), entitled: evaluateLicences(shop.ctx, owner).code === "VALID" };
  }
  const signedIn = await signedInWith(c, shop, shop.readHolder);
  return signedIn && { actor: customer(signedIn.account.id), entitled: signedIn.entitled };
}

/** Whether a person navigated here. Browsers say so with Fetch Metadata; older browsers accept only HTML. */
function isNavigation(c: Context): boolean {
  const mode = c.req.header("sec-fetch-mode");
  if (mode !== undefined) return mode === "navigate";
  return /\btext\/html\b/.test(c.req.header("accept") ?? "");
}

/** /api/version: the changelog and the current release. */
export function versionRoutes(shop: Shop) {
  const { ctx } = shop;
  const counted = limitRequests(shop, "public");
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
