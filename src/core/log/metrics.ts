import { Counter, Gauge as PromGauge, Histogram, type Metric, Registry } from "prom-client";

/** A gauge, read each time metrics are requested. */
export type Gauge = {
  name: string;
  help: string;
  values: { labels?: Record<string, string>; value: number }[];
};

type Values = (string | number)[];

export type Metrics = ReturnType<typeof createMetrics>;

const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/**
 * What this process has counted since it started, in Prometheus's text format. Label values come only from this code
 * (a route's pattern, a status, a topic), never from a request, so the series stay few and contain nothing personal.
 * Registering a metric again, as when the bot restarts, continues its count.
 */
export function createMetrics() {
  const counted = new Registry();
  const registers = [counted];
  const once = <M extends Metric>(name: string, make: () => M): M =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a name always has the same type
    (counted.getSingleMetric(name) as M | undefined) ?? make();
  return {
    /** Returns a function that counts one under these labels. Series in `known` appear from the start. */
    counter(name: string, help: string, labelNames: string[], known: string[][] = []) {
      const counter = once(name, () => new Counter({ name, help, labelNames, registers }));
      for (const values of known) counter.labels(...values).inc(0);
      return (...values: Values) => counter.labels(...values.map(String)).inc();
    },
    /** Returns a function that adds to a sum, which appears after the first addition. */
    sum: (name: string, help: string) => (amount: number) =>
      once(name, () => new Counter({ name, help, registers })).inc(amount),
    /** Returns a function that sets a gauge, which appears once set. */
    level: (name: string, help: string) => (value: number) =>
      once(name, () => new PromGauge({ name, help, registers })).set(value),
    /** Returns a function that records a duration in seconds under these labels. */
    histogram(name: string, help: string, labelNames: string[]) {
      const histogram = once(name, () => new Histogram({ name, help, labelNames, buckets, registers }));
      return (seconds: number, ...values: Values) => histogram.labels(...values.map(String)).observe(seconds);
    },
    /** All metrics as text, with gauges just read. */
    async text(gauges: Gauge[]): Promise<string> {
      const read = new Registry();
      for (const { name, help, values } of gauges) {
        const labelNames = Object.keys(values[0]?.labels ?? {});
        const gauge = new PromGauge({ name, help, labelNames, registers: [read] });
        // it begins with a zero
        if (values.length === 0) gauge.remove();
        for (const { labels = {}, value } of values) gauge.set(labels, value);
      }
      return `${await counted.metrics()}\n${await read.metrics()}`;
    },
  };
}
