export type Instruction = { name: string; flags: Record<string, string>; rest: string; words: string[] };
export type Stage = { base: string; name: string; instructions: Instruction[] };

/** Reads a Dockerfile: comments, continued lines, flags, and the JSON form. https://docs.docker.com/reference/dockerfile/ */
export function readDockerfile(text: string): Stage[] {
  const whole = text.replace(/^\s*#.*\n/gm, "").replace(/\\\n\s*/g, "");
  const stages: Stage[] = [];
  for (const line of whole.split("\n").filter((one) => one.trim() !== "")) {
    const [, name = "", flagged = "", rest = ""] = /^([A-Z]+)((?: +--[a-z-]+=\S+)*) +(.+)$/.exec(line) ?? [];
    if (name === "") throw new Error(`no instruction: ${line}`);
    const flags = Object.fromEntries(
      [...flagged.matchAll(/--([a-z-]+)=(\S+)/g)].map(([, flag, value]) => [flag, value]),
    ) as Record<string, string>;
    const words = rest.startsWith("[") ? (JSON.parse(rest) as string[]) : rest.split(/ +/);
    if (name === "FROM") {
      const [base = "", as, called = String(stages.length)] = words;
      if (as !== undefined && as !== "AS") throw new Error(`no stage: ${line}`);
      stages.push({ base, name: called, instructions: [] });
    } else {
      const stage = stages.at(-1);
      if (!stage) throw new Error(`before the first stage: ${line}`);
      stage.instructions.push({ name, flags, rest, words });
    }
  }
  return stages;
}

/** The files that a `.dockerignore` of exceptions lets into the build. */
export function lettingIn(ignore: string): (path: string) => boolean {
  const lines = ignore.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));
  if (lines[0] !== "*" || lines.slice(1).some((line) => !/^![\w.-]+$/.test(line))) {
    throw new Error("only '*' and then what is let in is understood");
  }
  const names = new Set(lines.slice(1).map((line) => line.slice(1)));
  return (path) => names.has(path.split("/")[0] ?? "");
}

/** The settings of an image's ENV. */
export const environmentOf = ({ instructions }: Stage): Record<string, string> =>
  Object.fromEntries(
    instructions
      .filter(({ name }) => name === "ENV")
      .flatMap(({ words }) => words.map((word) => word.split(/=(.*)/s).slice(0, 2) as [string, string])),
  );

type Around = {
  letIn: (path: string) => boolean;
  exists: (path: string) => boolean;
  bunVersion: string;
};

/** What a reviewer of Dockerfiles would object to, in sentences; nothing when all is well. */
export function objectionsTo(text: string, { letIn, exists, bunVersion }: Around): string[] {
  const stages = readDockerfile(text);
  const objections: string[] = [];
  const must = (right: boolean, sentence: string) => void (right || objections.push(sentence));
  const known = new Set<string>();
  for (const { base, name, instructions } of stages) {
    const tagged = known.has(base) || base === `oven/bun:${bunVersion}-slim`;
    must(tagged, `${base} is not the Bun that the lock file names, slim and by its version`);
    for (const one of instructions) {
      must(allowed.has(one.name), `${one.name} has no business here`);
      if (one.name === "RUN")
        must(!/\b(sudo|curl|wget|apt-get)\b/.test(one.rest), `RUN fetches: ${one.rest}`);
      if (one.name === "WORKDIR") must(one.rest.startsWith("/"), `WORKDIR ${one.rest} is not absolute`);
      if (one.name !== "COPY") continue;
      const from = one.flags["from"];
      const sources = one.words.slice(0, -1);
      must(sources.length === 1 || one.rest.endsWith("/"), `COPY of many needs a folder: ${one.rest}`);
      if (from !== undefined) must(known.has(from), `COPY from ${from}, which is no stage before`);
      else
        for (const path of sources) must(letIn(path) && exists(path), `COPY of ${path}, which is not let in`);
    }
    known.add(name);
  }
  const last = stages.at(-1);
  const find = (name: string) => last?.instructions.filter((one) => one.name === name) ?? [];
  const environment = last ? environmentOf(last) : {};
  must(!/^(|root|0)$/.test(find("USER").at(-1)?.words[0] ?? ""), "it runs as root");
  must(find("CMD").length === 1 && find("CMD")[0]?.rest[0] === "[", "CMD is not one in the JSON form");
  must(/CMD \["/.test(find("HEALTHCHECK")[0]?.rest ?? ""), "there is no HEALTHCHECK in the JSON form");
  must(find("EXPOSE")[0]?.rest === environment["PORT"], "EXPOSE is not the port that it listens on");
  must(find("VOLUME")[0]?.rest === environment["DATA_DIR"], "VOLUME is not where the data is");
  must(environment["NODE_ENV"] === "production", "it is not production");
  must(environment["HOST"] === "0.0.0.0", "it listens to itself alone");
  must(find("STOPSIGNAL")[0]?.rest === "SIGTERM", "it is not stopped by SIGTERM");
  must(!/(KEY|SECRET|TOKEN|PASSWORD)\b/.test(Object.keys(environment).join(" ")), "a secret is baked in");
  return objections;
}

const allowed = new Set("WORKDIR COPY RUN ENV USER VOLUME EXPOSE HEALTHCHECK STOPSIGNAL CMD".split(" "));
