import type { Config } from "@/core/settings/config";
import type { Ctx } from "@/core/database/context";
import { withTimeout } from "@/core/base/with-timeout";
import { type LostBuild, lostBuilds } from "@/domain/releases/lost-builds";
import type { OpenShop } from "../terminal/command-line";

const mostNamed = 6;
const answerMilliseconds = 10_000;

/** The files that no customer can download any more; none if the store doesn't answer, which the doctor reports. */
export const lostBuildsIn = (ctx: Ctx, store: OpenShop["builds"]): Promise<LostBuild[]> =>
  withTimeout(answerMilliseconds, lostBuilds(ctx, store)).catch(() => []);

/** One sentence, or null if none is lost. */
export function lostInWords(lost: LostBuild[], { builds }: Pick<Config, "builds">): string | null {
  if (lost.length === 0) return null;
  const place = "folder" in builds ? builds.folder : "the bucket of BUILDS_URL";
  const named = lost.slice(0, mostNamed).map(({ version, fileName }) => `${fileName} of ${version}`);
  const others = lost.length > mostNamed ? ` and ${lost.length - mostNamed} more` : "";
  return `Customers can't download ${named.join(", ")}${others}: ${place} doesn't have these files as they were published. Backups don't contain builds: copy them there from the old shop, or publish a new version.`;
}
