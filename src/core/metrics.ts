/** One value of a gauge, read when somebody asks. */
export type Gauge = {
  name: string;
  help: string;
  values: { labels?: Record<string, string>; value: number }[];
};

type Family = { name: string; help: string; type: "counter" | "histogram"; lines: () => string[] };

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * What this process has counted since it started, as Prometheus reads it. Labels hold only words from
 * this code (a route's pattern, a status, a topic), never what somebody sent, so that the series are few
 * and say nothing of anyone. https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
 */
export function createMetrics() {
  const families: Family[] = [];
  return {
    /** Returns what counts one more under these labels. */
    counter(name: string, help: string, labels: readonly string[]) {
      const series = new Map<string, number>();
      const lines = () => [...series].map(([key, value]) => `${name}{${key}} ${value}`);
      families.push({ name, help, type: "counter", lines });
      return (...values: (string | number)[]) => {
        const key = keyOf(labels, values);
        series.set(key, (series.get(key) ?? 0) + 1);
      };
    },
    /** Returns what takes in a duration in seconds under these labels. */
    histogram(name: string, help: string, labels: readonly string[]) {
      const series = new Map<string, Histogram>();
      const lines = () => [...series].flatMap(([key, seen]) => linesOf(name, key, seen));
      families.push({ name, help, type: "histogram", lines });
      return (seconds: number, ...values: (string | number)[]) => {
        const key = keyOf(labels, values);
        let seen = series.get(key);
        if (!seen) series.set(key, (seen = { counts: bounds.map(() => 0), sum: 0, count: 0 }));
        take(seen, seconds);
      };
    },
    /** Everything, with the gauges that were read for this answer. */
    text(gauges: Gauge[]): string {
      const told = gauges.map(({ name, help, values }) =>
        [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, ...values.map((one) => gaugeLine(name, one))].join(
          "\n",
        ),
      );
      const counted = families.map(({ name, help, type, lines }) =>
        [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines()].join("\n"),
      );
      return `${[...counted, ...told].join("\n")}\n`;
    },
  };
}

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
