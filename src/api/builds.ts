import { type Application, type SiteCustomer, visitor } from "@/core/base/actor";
import { Refusal } from "@/core/base/refusal";
import type { Build, ReleaseRow } from "@/domain/releases/current";
import { recordDownload } from "@/domain/releases/record";
import { fileHeaders, type ServedFile, planFor, sendRanges } from "./files/serve";
import { refusalBody } from "./refusal-body";
import type { RequestContext, Shop } from "./shop";

/** Who downloads, whose account it counts against or, for a free download, whose address. */
export type Downloader = SiteCustomer | Application | { address: string };

/**
 * Answers a request for a build. Counts and records a download once, when it starts; further pieces of it and answers
 * without a body don't count.
 */
export async function answerWithBuild(
  c: RequestContext,
  shop: Shop,
  found: { release: ReleaseRow; build: Build } | null,
  taker: Downloader,
): Promise<Response> {
  if (!found) throw new Refusal("build_unknown");
  const { build, release } = found;
  const stored = await shop.builds.find(build.sha256);
  if (stored?.size !== build.size) {
    shop.ctx.log.error("a published build is not in the store", { reason: build.platform });
    throw new Refusal("build_unknown");
  }
  const file: ServedFile = { name: build.fileName, sha256: build.sha256, modified: release.publishedAt };
  const request = c.req.raw;
  const plan = planFor(request, file, build.size);
  if (plan.kind === "not_modified") return new Response(null, { status: 304, headers: fileHeaders(file) });
  if (plan.kind === "precondition_failed") throw new Refusal("precondition_failed");
  if (plan.kind !== "send") return unsatisfiable(build.size);
  if (request.method !== "HEAD") await countDownload(shop, taker, found, plan);
  c.env.sendsMuch();
  return sendRanges(request, stored, file, plan.ranges);
}

async function countDownload(
  shop: Shop,
  taker: Downloader,
  found: { release: ReleaseRow; build: Build },
  { ranges, bytes }: { ranges: unknown[]; bytes: number },
): Promise<void> {
  const { build } = found;
  const byAccount = "accountId" in taker;
  const who = byAccount ? taker.accountId : taker.address;
  if (ranges.length > 0 && shop.downloadAllowance.goesOn(who, build, bytes)) return;
  if (byAccount) shop.memory.spend(shop.limits.download, who);
  else shop.memory.spendByAddress(shop.limits["download-free"], who);
  await recordDownload(shop.ctx, byAccount ? taker : visitor, found);
  shop.downloadAllowance.begin(who, build);
}

/** RFC 9110 §15.5.17: states the file's length so that the client can ask again. */
function unsatisfiable(size: number): Response {
  const body = refusalBody("range_unsatisfiable");
  return Response.json(body, { status: body.status, headers: { "content-range": `bytes */${size}` } });
}
