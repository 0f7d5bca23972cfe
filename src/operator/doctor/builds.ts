import { reasonOf } from "@/core/log/log";
import { restoredCopy } from "@/core/database/restored-copy";
import { lostBuilds } from "@/domain/releases/lost-builds";
import type { Finding } from "@/domain/system/system";
import type { OpenShop } from "../terminal/command-line";
import { lostInWords } from "../files/lost-builds";
import { warning, well, wrong } from "./finding";

/** No file has this address. */
const noFile = "0".repeat(64);

/**
 * Whether the bucket of builds answers, and has what customers are offered. For a folder, whose disk another check
 * covers, reports only lost files.
 */
export async function builds({ ctx, config, builds: store }: OpenShop): Promise<Finding[]> {
  const fault = await store.sizeOf(noFile).then(
    () => null,
    (error: unknown) => (error instanceof Error ? reasonOf(error.cause ?? error) : "unknown"),
  );
  if (fault !== null) return [wrong("builds", `BUILDS_URL can't be reached or refuses (${fault}).`)];
  const lost = lostInWords(await lostBuilds(ctx, store), config);
  // customers can't download from a copy
  if (lost !== null) return [(await restoredCopy(ctx)) ? warning("builds", lost) : wrong("builds", lost)];
  return "folder" in config.builds ? [] : [well("builds", "The bucket answers.")];
}
