/*
 * The rule of licence time a second time, written from the contract alone and in another way than the shop's: it keeps
 * the spans that were given out and looks through all of them each time. In days, fractions included.
 */

export type Sold = {
  name: string;
  level: string;
  /** Null is a lifetime. */
  days: number | null;
  redeemed: number;
  /** An imported licence's end. */
  fixed?: number | undefined;
  /** Null: nobody bought it. */
  mode: "test" | "live" | null;
  /** When each cause that still stands took it away. */
  causes: number[];
  extensions: { name: string; days: number; at: number }[];
};

/** The end of each licence by its name, null for a lifetime, in a shop that runs in `mode`. */
export function endsByContract(sold: Sold[], mode: "test" | "live"): Record<string, number | null> {
  const ends: Record<string, number | null> = {};
  for (const which of ["test", "live"] as const) {
    const counting = sold.filter((one) => one.mode === null || one.mode === which);
    const levels = [...new Set(counting.map(({ level }) => level))];
    const found = Object.assign(
      {},
      ...levels.map((level) => oneChain(counting.filter((one) => one.level === level))),
    ) as Record<string, number>;
    for (const one of counting) {
      if (one.mode === which || which === mode) ends[one.name] = found[one.name] ?? null;
    }
  }
  return ends;
}

type Given = { of: Sold; name: string; days: number; since: number; extension: boolean };

function oneChain(sold: Sold[]): Record<string, number> {
  const given: Given[] = [];
  for (const of of sold) {
    if (of.days === null && of.fixed === undefined) continue;
    given.push({ of, name: of.name, days: of.days ?? 0, since: of.redeemed, extension: false });
    for (const { name, days, at } of of.extensions)
      given.push({ of, name, days, since: at, extension: true });
  }
  given.sort((one, other) => {
    if (one.since !== other.since) return one.since < other.since ? -1 : 1;
    if (one.extension !== other.extension) return one.extension ? 1 : -1;
    return one.name < other.name ? -1 : 1;
  });
  const spans: { from: number; to: number }[] = [];
  const ends: Record<string, number> = {};
  for (const { of, since, days, extension } of given) {
    let from = since;
    for (const span of spans) if (span.to > from) from = span.to;
    let to = !extension && of.fixed !== undefined ? of.fixed : from + days;
    for (const fell of of.causes) if (fell < to) to = fell;
    if (to > from) spans.push({ from, to });
    ends[of.name] = to;
  }
  return ends;
}
