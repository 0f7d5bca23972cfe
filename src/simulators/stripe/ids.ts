import { createHash } from "node:crypto";
import { word } from "../words";

export type Ids = {
  /** A new id: `prefix` and `length` letters; the same seed gives the same ids in the same order. */
  next(prefix: string, length?: number): string;
};

/** `run` counts the starts on one data folder, so that no id repeats after a restart. */
export function seededIds(seed: string, run: number): Ids {
  let count = 0;
  return {
    next(prefix, length = 24) {
      count += 1;
      return prefix + word(`${seed}:${run}:${count}`, length);
    },
  };
}

/** A pseudo-random number in [0, 1) for each call, from the seed. */
export function seededChance(seed: string): () => number {
  let count = 0;
  return () => {
    count += 1;
    return createHash("sha256").update(`${seed}:chance:${count}`).digest().readUInt32BE(0) / 2 ** 32;
  };
}
