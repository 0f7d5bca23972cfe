/** One value of a gauge, read when somebody asks. */
export type Gauge = {
  name: string;
  help: string;
  values: { labels?: Record<string, string>; value: number }[];
};

type Values = (string | number)[];
type Family = { help: string; type: "counter" | "gauge" | "histogram"; lines: () => string[] };

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * What this process has counted since it started, as Prometheus reads it. Labels hold only words from
 * this code (a route's pattern, a status, a topic), never what somebody sent, so that the series are few
 * and say nothing of anyone. Asked for a name again, as by a bot that takes its turn anew, it goes on counting.
 * https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
 */
export function createMetrics() {
  const families = new Map<string, Family>();
  const uses = new Map<string, unknown>();
  const once = <A extends unknown[]>(name: string, make: () => Family & { use: (...given: A) => void }) => {
    const known = uses.get(name);
    // a name stands for one kind in this code
    if (known) return known as (...given: A) => void;
    const { use, ...family } = make();
    families.set(name, family);
    uses.set(name, use);
    return use;
  };
  return {
    /** Returns what counts one more under these labels. Series named in `known` are told from the start. */
    counter: (name: string, help: string, labels: readonly string[], known: string[][] = []) =>
      once<Values>(name, () => {
        const series = new Map<string, number>(known.map((values) => [keyOf(labels, values), 0]));
        return {
          help,
          type: "counter",
          lines: () => [...series].map(([key, value]) => `${name}{${key}} ${value}`),
          use(...values) {
            const key = keyOf(labels, values);
            series.set(key, (series.get(key) ?? 0) + 1);
          },
        };
      }),
    /** Returns what adds an amount to a sum; told once something was added. */
    sum: (name: string, help: string) =>
      once<[amount: number]>(name, () => {
        let total: number | null = null;
        return {
          help,
          type: "counter",
          lines: () => (total === null ? [] : [`${name} ${total}`]),
          use: (amount) => void (total = (total ?? 0) + amount),
        };
      }),
    /** Returns what says how much it is now; told once it was said. */
    level: (name: string, help: string) =>
      once<[value: number]>(name, () => {
        let now: number | null = null;
        return {
          help,
          type: "gauge",
          lines: () => (now === null ? [] : [`${name} ${now}`]),
          use: (value) => void (now = value),
        };
      }),
    /** Returns what takes in a duration in seconds under these labels. */
    histogram: (name: string, help: string, labels: readonly string[]) =>
      once<[seconds: number, ...values: Values]>(name, () => {
        const series = new Map<string, Histogram>();
        return {
          help,
          type: "histogram",
          lines: () => [...series].flatMap(([key, seen]) => linesOf(name, key, seen)),
          use(seconds, ...values) {
            const key = keyOf(labels, values);
            let seen = series.get(key);
            if (!seen) series.set(key, (seen = { counts: bounds.map(() => 0), sum: 0, count: 0 }));
            take(seen, seconds);
          },
        };
      }),
    /** Everything, with the gauges that were read for this answer. */
    text(gauges: Gauge[]): string {
      const told = gauges.map(({ name, help, values }) =>
        family(name, { help, type: "gauge", lines: () => values.map((one) => gaugeLine(name, one)) }),
      );
      const counted = Array.from(families, ([name, one]) => family(name, one));
      return `${[...counted, ...told].join("\n")}\n`;
    },
  };
}

const family = (name: string, { help, type, lines }: Family): string =>
  [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines()].join("\n");

type Histogram = { counts: number[]; sum: number; count: number };

const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

function take(seen: Histogram, seconds: number): void {
  seen.sum += seconds;
  seen.count += 1;
  const at = bounds.findIndex((bound) => seconds <= bound);
  if (at >= 0) seen.counts[at] = (seen.counts[at] ?? 0) + 1;
}

function linesOf(name: string, key: string, { counts, sum, count }: Histogram): string[] {
  let below = 0;
  const buckets = bounds.map((bound, at) => {
    below += counts[at] ?? 0;
    return `${name}_bucket{${key},le="${bound}"} ${below}`;
  });
  return [
    ...buckets,
    `${name}_bucket{${key},le="+Inf"} ${count}`,
    `${name}_sum{${key}} ${sum}`,
    `${name}_count{${key}} ${count}`,
  ];
}

function gaugeLine(name: string, { labels, value }: Gauge["values"][number]): string {
  if (!labels) return `${name} ${value}`;
  return `${name}{${keyOf(Object.keys(labels), Object.values(labels))}} ${value}`;
}

function keyOf(labels: readonly string[], values: readonly (string | number)[]): string {
  let key = "";
  for (const [at, label] of labels.entries()) {
    key += `${at === 0 ? "" : ","}${label}="${escaped(String(values[at] ?? ""))}"`;
  }
  return key;
}

const escaped = (text: string) =>
  /["\\\n]/.test(text) ? text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n") : text;
