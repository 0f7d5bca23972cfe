/** A strict reader of what `/metrics` answers. */

export type Sample = { name: string; labels: Record<string, string>; value: number };
export type Told = { type: string; help: string; samples: Sample[] };

const name = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const sampleLine = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const label = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/y;

/**
 * Reads the text format and throws at whatever Prometheus, or its own `promtool check metrics`, objects to: a
 * family told in two places, without help or type or with two, a series told twice, a counter that falls below
 * nothing or is not named so, buckets that don't add up, a last line that does not end.
 * https://prometheus.io/docs/instrumenting/exposition_formats/#text-format-details
 */
export function readMetrics(text: string): Map<string, Told> {
  if (!text.endsWith("\n")) throw new Error("the last line does not end");
  const families = new Map<string, Told>();
  const series = new Set<string>();
  let current = "";
  for (const line of text.slice(0, -1).split("\n")) {
    const [, kind, family = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (kind === "HELP") {
      if (!name.test(family)) throw new Error(`no name: ${line}`);
      if (families.has(family)) throw new Error(`told in two places: ${family}`);
      families.set(family, { help: rest, type: "", samples: [] });
      current = family;
    } else if (kind === "TYPE") {
      const told = families.get(family);
      if (family !== current || !told || told.type !== "") throw new Error(`a type out of place: ${line}`);
      if (!/^(counter|gauge|histogram)$/.test(rest)) throw new Error(`no type: ${line}`);
      if ((rest === "counter") !== family.endsWith("_total")) throw new Error(`misnamed: ${line}`);
      told.type = rest;
    } else {
      const sample = readSample(line);
      const told = families.get(current);
      if (!told || told.type === "" || !belongs(sample.name, current, told.type)) {
        throw new Error(`out of place: ${line}`);
      }
      const key = line.slice(0, line.lastIndexOf(" "));
      if (series.has(key)) throw new Error(`told twice: ${key}`);
      series.add(key);
      if (told.type !== "gauge" && sample.value < 0) throw new Error(`below nothing: ${line}`);
      told.samples.push(sample);
    }
  }
  for (const [family, told] of families) if (told.type === "histogram") addUp(family, told.samples);
  return families;
}

function readSample(line: string): Sample {
  const [, called = "", inside = "", number = ""] = sampleLine.exec(line) ?? [];
  const value = number === "+Inf" ? Infinity : Number(number);
  if (called === "" || number === "" || Number.isNaN(value)) throw new Error(`no sample: ${line}`);
  return { name: called, labels: readLabels(inside), value };
}

function readLabels(inside: string): Record<string, string> {
  const labels: Record<string, string> = {};
  label.lastIndex = 0;
  for (let at = 0; at < inside.length; at = label.lastIndex) {
    const [, key = "", text = ""] = label.exec(inside) ?? [];
    if (key === "" || key in labels) throw new Error(`no labels: ${inside}`);
    labels[key] = text;
  }
  return labels;
}

const belongs = (sample: string, family: string, type: string) =>
  type === "histogram"
    ? sample.startsWith(family) && /^_(bucket|sum|count)$/.test(sample.slice(family.length))
    : sample === family;

/** Each bucket holds those below it, and the last one all. */
function addUp(family: string, samples: Sample[]): void {
  const groups = Map.groupBy(samples, ({ labels }) => JSON.stringify({ ...labels, le: "" }));
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
