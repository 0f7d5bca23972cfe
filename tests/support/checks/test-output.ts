/** What `bun test` printed. */

/** The names of the skipped tests, from lines such as `(skip) an order without a name`. */
export function skippedIn(output: string): string[] {
  const lines = [...Bun.stripANSI(output).matchAll(/^\(skip\) (.+?)(?: \[[\d.]+ms\])?$/gm)];
  // a long run repeats them at its end
  return lines.slice(0, lastCount(output, "skip")).map(([, name = ""]) => name);
}

/** The failed tests, each with its file and the last lines that it printed, which Bun puts before its `(fail)` line. */
export function failuresIn(output: string): string[] {
  const failures = new Map<string, string>();
  let file = "";
  let printed: string[] = [];
  for (const line of Bun.stripANSI(output).split("\n")) {
    // a long run repeats them from here on, without what they printed
    if (/^\d+ tests? failed:$/.test(line)) break;
    const [, path] = /^(tests\/\S+):$/.exec(line) ?? [];
    const [, outcome, name] = /^\((pass|fail|skip)\) (.+?)(?: \[[\d.]+ms\])?$/.exec(line) ?? [];
    if (path) file = path;
    if (outcome === "fail") failures.set(`${file}: ${name}`, printed.slice(-40).join("\n"));
    if (path || outcome) printed = [];
    else printed.push(line);
  }
  return [...failures].map(([name, lines]) => `✗ ${name}\n${lines}`);
}

/** The number in the last ` 12 pass` line, which is the summary's: a test may print one as well. */
export function lastCount(output: string, word: "pass" | "fail" | "skip"): number {
  return Number([...Bun.stripANSI(output).matchAll(new RegExp(`^ *(\\d+) ${word}$`, "gm"))].at(-1)?.[1] ?? 0);
}

/** The files in which a worker of `bun test --parallel` crashed, and those that Bun then gave up; each counts as a failure. */
export function interruptedIn(output: string): string[] {
  const lines = Bun.stripANSI(output).matchAll(
    /^✗ (\S+) \((?:worker crashed: \w+|aborted: .*worker panicked)\)$/gm,
  );
  return [...new Set([...lines].map(([, file = ""]) => file))];
}
