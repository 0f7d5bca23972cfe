import { limitTable } from "@/contract/vocabulary/limits";

/** A setting under which nobody reaches a limit. */
export const unlimited = {
  LIMITS: Object.keys(limitTable({}))
    .map((name) => `${name}=1000000000/60`)
    .join(","),
};
