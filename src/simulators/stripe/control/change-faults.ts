import type { Faults } from "../faults";
import type { FaultChange } from "./shapes";

/** Merges one level deep, so that a switch can be set without naming the others. */
export function changeFaults(faults: Faults, change: FaultChange): Faults {
  Object.assign(faults.api, change.api);
  Object.assign(faults.webhooks, change.webhooks);
  return faults;
}
