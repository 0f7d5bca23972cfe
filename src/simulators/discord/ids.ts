import { createHash } from "node:crypto";
import { seededWords } from "../base/words";

/** Discord's snowflakes count from the start of 2015. */
const epoch = 1_420_070_400_000n;

export type Ids = {
  /** A new snowflake with the clock's time, greater than any before it. */
  snowflake(): string;
  /** A new secret of `length` letters; the same seed gives the same secrets in the same order. */
  secret(length: number): string;
};

/** `run` counts the starts on one data folder, so that no secret repeats. */
export function seededIds(seed: string, run: number, now: () => number): Ids {
  let latest = 0n;
  return {
    snowflake() {
      const first = BigInt(snowflakeAt(now()));
      latest = first > latest ? first : latest + 1n;
      return String(latest);
    },
    secret: seededWords(seed, run),
  };
}

/** The `n`th snowflake of the demo server; the same for the same seed. */
export function foundingId(seed: string, n: number): string {
  const born = BigInt(snowflakeAt(Date.UTC(2024, 0, 1) + n * 60_000));
  return String(born | BigInt(createHash("sha256").update(seed).digest().readUInt16BE(0)));
}

export function snowflakeTime(id: string): number {
  return Number((BigInt(id) >> 22n) + epoch);
}

/** The smallest snowflake of `time` (Unix milliseconds). */
export function snowflakeAt(time: number): string {
  return String((BigInt(Math.floor(time)) - epoch) << 22n);
}

export function isSnowflake(text: string): boolean {
  return /^\d{1,20}$/.test(text) && BigInt(text) < 2n ** 64n;
}
