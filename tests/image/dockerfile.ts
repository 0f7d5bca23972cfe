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
