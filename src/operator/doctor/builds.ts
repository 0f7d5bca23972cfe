import { reasonOf } from "@/core/log";
import type { OpenShop } from "../command-line";
import { type Finding, well, wrong } from "./finding";

/** No file has this address, so looking for it asks the bucket and fetches nothing. */
const noFile = "0".repeat(64);

/** Whether the bucket of builds answers; silent where they are in a folder, whose disk is looked at. */
export async function builds({ config, builds: store }: OpenShop): Promise<Finding[]> {
  if ("folder" in config.builds) return [];
  const trouble = await store.find(noFile).then(
    () => null,
    (error: unknown) => (error instanceof Error ? reasonOf(error.cause ?? error) : "unknown"),
  );
  if (trouble === null) return [well("builds", "The bucket answers.")];
  return [wrong("builds", `BUILDS_URL can't be reached or refuses (${trouble}).`)];
}
