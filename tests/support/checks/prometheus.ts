/** A strict parser of what `/metrics` answers. */

export type Sample = { name: string; labels: Record<string, string>; value: number };
export type Family = { type: string; help: string; samples: Sample[] };

const name = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const sampleLine = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const label = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/y;

/**
 * Reads the text format and throws at whatever Prometheus, or its own `promtool check metrics`, objects to: a
 * family in two places, with no help or type or with two of them, a repeated series, a counter that is negative
 * or not named as one, buckets that don't add up, a last line without a line break.
 * https://prometheus.io/docs/instrumenting/exposition_formats/#text-format-details
 */
export function readMetrics(text: string): Map<string, Family> {
  if (!text.endsWith("\n")) throw new Error("the last line has no line break");
  const families = new Map<string, Family>();
  const series = new Set<string>();
  let current = "";
  // empty lines say nothing
  for (const line of text.slice(0, -1).split(/\n+/)) {
    const [, kind, family = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (kind === "HELP") {
      if (!name.test(family)) throw new Error(`not a valid name: ${line}`);
      if (families.has(family)) throw new Error(`in two places: ${family}`);
      families.set(family, { help: rest, type: "", samples: [] });
      current = family;
    } else if (kind === "TYPE") {
      const known = families.get(family);
      if (family !== current || !known || known.type !== "") throw new Error(`misplaced type: ${line}`);
      if (!/^(counter|gauge|histogram)$/.test(rest)) throw new Error(`not a valid type: ${line}`);
      if ((rest === "counter") !== family.endsWith("_total")) throw new Error(`misnamed: ${line}`);
      known.type = rest;
    } else {
      const sample = readSample(line);
      const known = families.get(current);
      if (!known || known.type === "" || !belongs(sample.name, current, known.type)) {
        throw new Error(`misplaced: ${line}`);
      }
      const key = line.slice(0, line.lastIndexOf(" "));
      if (series.has(key)) throw new Error(`repeated: ${key}`);
      series.add(key);
      if (known.type !== "gauge" && sample.value < 0) throw new Error(`negative: ${line}`);
      known.samples.push(sample);
    }
  }
  for (const [family, known] of families) if (known.type === "histogram") addUp(family, known.samples);
  return families;
}

function readSample(line: string): Sample {
  const [, called = "", inside = "", number = ""] = sampleLine.exec(line) ?? [];
  const value = number === "+Inf" ? Infinity : Number(number);
  if (called === "" || number === "" || Number.isNaN(value)) throw new Error(`not a sample: ${line}`);
  return { name: called, labels: readLabels(inside), value };
}

function readLabels(inside: string): Record<string, string> {
  const labels: Record<string, string> = {};
  label.lastIndex = 0;
  for (let at = 0; at < inside.length; at = label.lastIndex) {
    const [, key = "", text = ""] = label.exec(inside) ?? [];
    if (key === "" || key in labels) throw new Error(`not valid labels: ${inside}`);
    labels[key] = text;
  }
  return labels;
}

const belongs = (sample: string, family: string, type: string) =>
  type === "histogram"
    ? sample.startsWith(family) && /^_(bucket|sum|count)$/.test(sample.slice(family.length))
    : sample === family;

/** Each bucket includes those below it, and the last one everything. */
function addUp(family: string, samples: Sample[]): void {
  const groups = Map.groupBy(samples, ({ labels }) =>
    JSON.stringify(Object.entries(labels).filter(([label]) => label !== "le")),
  );
  for (const [group, own] of groups) {
    const buckets = own.filter((sample) => sample.name === `${family}_bucket`);
    const bounds = buckets.map(({ labels }) => (labels["le"] === "+Inf" ? Infinity : Number(labels["le"])));
    const counts = buckets.map(({ value }) => value);
    const grows = (list: number[]) => list.every((value, at) => at === 0 || value >= (list[at - 1] ?? 0));
    const all = own.find((sample) => sample.name === `${family}_count`)?.value;
    const sum = own.find((sample) => sample.name === `${family}_sum`);
    if (bounds.at(-1) !== Infinity || !grows(bounds) || !grows(counts) || counts.at(-1) !== all || !sum) {
      throw new Error(`buckets that don't add up: ${family} ${group}`);
    }
  }
}
