import { join } from "node:path";
import manifest from "../../../package.json";

/** `fits`: another patch release, on which the shop may run. The sentence is for the operator. */
export type OtherBun = { fits: boolean; sentence: string };

/** How the running Bun differs from the version that this release was tested with; null if it is the same. */
export function otherBun(
  runs: string = Bun.version,
  tested: string = manifest.devDependencies.bun,
): OtherBun | null {
  if (runs === tested) return null;
  const here = `${process.execPath} is Bun ${runs}`;
  if (seriesOf(runs) === seriesOf(tested)) {
    return { fits: true, sentence: `${here}; this shop was tested with ${tested}.` };
  }
  // another version may not read bun.lock
  return {
    fits: false,
    sentence: `This shop needs Bun ${tested}, and ${here}. Run \`bun x bun@${tested} install --frozen-lockfile\` in ${root} and use its node_modules/.bin/bun, or install Bun ${tested} from https://github.com/oven-sh/bun/releases/tag/bun-v${tested}.`,
  };
}

const root = join(import.meta.dir, "../../..");

/** `1.4` of `1.4.5` and of `1.4.6-canary.1`. */
const seriesOf = (version: string) => version.split(".", 2).join(".");
