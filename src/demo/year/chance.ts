/** Random numbers that the same seed repeats. */
export type Chance = ReturnType<typeof chanceFrom>;

export function chanceFrom(seed: number) {
  let state = seed >>> 0;
  /** From 0 up to 1 (mulberry32). */
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    /** A whole number, both ends included. */
    between,
    is: (probability: number) => next() < probability,
    pick: <const L extends readonly [unknown, ...unknown[]]>(list: L): L[number] =>
      list[between(0, list.length - 1)],
  };
}
