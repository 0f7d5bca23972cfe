/** A gauge, read each time metrics are requested. */
export type Gauge = {
  name: string;
  help: string;
  values: { labels?: Record<string, string>; value: number }[];
};

type Values = (string | number)[];
type Family = { help: string; type: "counter" | "gauge" | "histogram"; lines: () => string[] };

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * What this process has counted since it started, in Prometheus's text format. Label values come only from this code
 * (a route's pattern, a status, a topic), never from a request, so the series stay few and contain nothing personal.
 * Registering a metric again, as when the bot restarts, continues its count.
 * https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
 */
export function createMetrics() {
  const families = new Map<string, Family>();
  const uses = new Map<string, unknown>();
  const once = <A extends unknown[]>(name: string, make: () => Family & { use: (...given: A) => void }) => {
    const known = uses.get(name);
    // a name always has the same type
    if (known) return known as (...given: A) => void;
    const { use, ...family } = make();
    families.set(name, family);
    uses.set(name, use);
    return use;
  };
  return {
    /** Returns a function that counts one under these labels. Series in `known` appear from the start. */
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
    /** Returns a function that adds to a sum, which appears after the first addition. */
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
    /** Returns a function that sets a gauge, which appears once set. */
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
    /** Returns a function that records a duration in seconds under these labels. */
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
    /** All metrics as text, with gauges just read. */
    text(gauges: Gauge[]): string {
      const read = gauges.map(({ name, help, values }) =>
        family(name, { help, type: "gauge", lines: () => values.map((one) => gaugeLine(name, one)) }),
      );
      const counted = Array.from(families, ([name, one]) => family(name, one));
      return `${[...counted, ...read].join("\n")}\n`;
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
