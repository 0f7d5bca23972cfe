/**
 * `bun run openapi`: writes the description of the API into `docs/openapi.json`, so that a review sees what changes on
 * the wire. A story compares it with what the shop serves.
 */
import { join } from "node:path";
import { describeApi } from "@/api/docs/describe";
import { openStage, type Stage } from "../../support/shop/stage";

export const snapshotPath = join(import.meta.dir, "../../../docs/openapi.json");

/** The text of the file: the description of a shop at an address that stands for any. */
export const snapshotOf = ({ shop }: Stage) =>
  `${JSON.stringify(describeApi(shop.api, new URL("https://shop.example")), null, 2)}\n`;

if (import.meta.main) {
  await using stage = await openStage();
  await Bun.write(snapshotPath, snapshotOf(stage));
}
