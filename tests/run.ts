/**
 * `npm test`, `bun run test`: the checks and every test file; ends with `N passed, N failed`.
 *
 *     bun run test                       everything
 *     bun run test stories/money         the test files whose path contains the words, without the checks
 *     bun run test stories/money -t won   those of their tests whose name contains the word
 *     bun run test screens --rerun-each=3   options go to `bun test`
 *
 * A run of everything keeps the cores busy: checks, screens and browser run one after the other beside the stories,
 * which take the longest and start with the slowest files, by the times in `timings.json`. These are recorded by
 * `bun run test units stories --update-timings`.
 */
import { check, describeCheck } from "./check";
import { ensureChromium } from "./support/checks/chromium";
import { gatherTallies, mostInvalid } from "./support/checks/discord-tally";
import { complainAbout } from "./support/checks/query-plans";
import { gatherStatements } from "./support/checks/statements";
import { testTimeout } from "./support/checks/test-timeout";

interface Tally {
  passed: number;
  failed: number;
  skipped: string[];
  /** What each failed test printed, for the end of a run of everything: nobody finds it between thousands of others. */
  failures?: string[];
}

interface Part {
  name: string;
  files: string[];
  options: string[];
  /** What runs Bun, in place of Bun itself: a program of ours with its first arguments. */
  beside?: string[];
}

const nothing: Tally = { passed: 0, failed: 0, skipped: [] };
const root = new URL("..", import.meta.url).pathname;
const parts: Part[] = [
  {
    name: "stories",
    files: ["tests/*.test.ts", "tests/units/**/*.test.{ts,tsx}", "tests/stories/**/*.test.{ts,tsx}"],
    // twice as many as there are cores, because stories also wait: for a process, a bucket, a lease
    options: ["--parallel=4", "--timings=tests/timings.json"],
  },
  {
    // In a process of its own: a page's globals and a server's don't mix.
    name: "screens",
    files: ["tests/screens/**/*.test.{ts,tsx}"],
    options: ["--parallel=2", "--preload=./tests/preload.ts", "--preload=./tests/screens/happy-dom.ts"],
  },
  { name: "browser", files: ["tests/browser/**/*.test.ts"], options: [] },
  {
    // Beside an empty machine; each test goes on where the one before it stopped.
    name: "manual",
    files: ["tests/manual/**/*.test.ts"],
    options: ["--bail"],
    beside: ["tests/manual/enter.ts", process.execPath],
  },
];

const { words, options } = argumentsOf(process.argv.slice(2));
const discord = await gatherTallies();
const statements = await gatherStatements();
await main();

/** Words, and options with what belongs to them. */
function argumentsOf(all: string[]): { words: string[]; options: string[] } {
  const named = new Set(["-t", "--test-name-pattern"]);
  const isOption = (argument: string, at: number) => argument.startsWith("-") || named.has(all[at - 1] ?? "");
  return {
    words: all.filter((argument, at) => !isOption(argument, at)),
    options: all.filter((argument, at) => isOption(argument, at)),
  };
}

async function main(): Promise<void> {
  const wanted = parts
    .map((part) => ({ part, files: filesOf(part) }))
    .filter(({ files }) => files.length > 0);
  if (words.length > 0 && wanted.length === 0) {
    console.error(`No test file's path contains ${words.join(" or ")}.`);
    process.exit(1);
  }
  // Fetched while the other parts run.
  const browser =
    wanted.some(({ part }) => part.name === "browser") && !skipsBrowser() ? ensureChromium() : undefined;
  const run = ({ part, files }: (typeof wanted)[number], aloud: boolean) =>
    part.name === "browser" ? runBrowser(part, files, { browser, aloud }) : runPart(part, files, aloud);
  const tallies: Tally[] = [];
  if (words.length > 0) {
    for (const one of wanted) tallies.push(await run(one, true));
  } else {
    const [longest, ...others] = wanted;
    const beside = async () => {
      tallies.push(await runChecks());
      for (const one of others) tallies.push(await run(one, false));
    };
    await Promise.all([longest && run(longest, true).then((tally) => tallies.push(tally)), beside()]);
  }
  tallies.push(await judgeManners());
  tallies.push(await judgeQueries());
  conclude(tallies);
}

/** Fails a run in which shops made too many requests that Discord counts as invalid; says nothing if none ran. */
async function judgeManners(): Promise<Tally> {
  const { requests, invalid, invalidFaulted } = await discord.sum();
  if (requests === 0) return nothing;
  const own = invalid - invalidFaulted;
  console.log(
    `— Discord got ${requests} requests: ${own} invalid (fewer than ${mostInvalid} are allowed); ` +
      `${invalidFaulted} more were injected by stories\n`,
  );
  return { ...nothing, failed: own < mostInvalid ? 0 : 1 };
}

/** Fails a run in which a shop made a query that takes longer the more customers it has; says nothing if none ran. */
async function judgeQueries(): Promise<Tally> {
  const all = await statements.all();
  if (all.length === 0) return nothing;
  const complaints = await complainAbout(all);
  console.log(
    `— ${all.length} queries of requests and timers: ${complaints.length} without a fitting index\n`,
  );
  for (const complaint of complaints) console.log(`  ${complaint}\n`);
  return { ...nothing, failed: complaints.length };
}

function filesOf(part: Part): string[] {
  const found = part.files.flatMap((pattern) =>
    [...new Bun.Glob(pattern).scanSync({ cwd: root })].toSorted(),
  );
  return words.length === 0 ? found : found.filter((file) => words.some((word) => file.includes(word)));
}

async function runChecks(): Promise<Tally> {
  const started = performance.now();
  const results = await check();
  for (const result of results) console.log(describeCheck(result));
  const failures = results.filter((result) => !result.passed).map(describeCheck);
  const passed = results.length - failures.length;
  return report("checks", started, { passed, failed: failures.length, skipped: [], failures });
}

async function runBrowser(
  part: Part,
  files: string[],
  { browser, aloud }: { browser: Promise<string | undefined> | undefined; aloud: boolean },
): Promise<Tally> {
  if (skipsBrowser()) {
    console.log("— browser: left out, because LATCHKEY_SKIP_BROWSER is set");
    return { ...nothing, skipped: files };
  }
  const problem = await browser;
  if (!problem) return runPart(part, files, aloud);
  console.log(problem);
  return report(part.name, performance.now(), { ...nothing, failed: files.length });
}

function skipsBrowser(): boolean {
  return Boolean(process.env.LATCHKEY_SKIP_BROWSER);
}

/** `aloud` prints the tests' output as it comes; otherwise it is printed when the part has ended. */
async function runPart(part: Part, files: string[], aloud: boolean): Promise<Tally> {
  const started = performance.now();
  const paths = files.map((file) => `./${file}`);
  const command = [
    process.execPath,
    "--no-orphans",
    ...(part.beside ? [...part.beside, "--no-orphans"] : []),
    "test",
    // `preload.ts` sets the default only for a process's first file
    `--timeout=${testTimeout}`,
    ...part.options,
    ...options,
    ...paths,
  ];
  const env = { ...process.env, ...discord.env, ...statements.env };
  const child = Bun.spawn(command, { cwd: root, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const pass = aloud ? (bytes: Uint8Array) => void process.stdout.write(bytes) : () => {};
  const [out, err, code] = await Promise.all([
    read(child.stdout, pass),
    read(child.stderr, pass),
    child.exited,
  ]);
  if (!aloud) process.stdout.write(`\n${out}${err}`);
  const failed = lastCount(err, "fail");
  return report(part.name, started, {
    passed: lastCount(err, "pass"),
    // A run that fails without a failed test has crashed, which is a failure too.
    failed: code !== 0 && failed === 0 ? 1 : failed,
    skipped: skippedIn(err),
    failures: failuresIn(err),
  });
}

/** The whole text of a stream, whose bytes are passed on as they come. */
async function read(stream: ReadableStream<Uint8Array>, pass: (bytes: Uint8Array) => void): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of stream) {
    pass(bytes);
    text += decoder.decode(bytes, { stream: true });
  }
  return text;
}

/** The names of the skipped tests, from lines such as `(skip) an order without a name`. */
function skippedIn(output: string): string[] {
  const lines = [...Bun.stripANSI(output).matchAll(/^\(skip\) (.+?)(?: \[[\d.]+ms\])?$/gm)];
  // a long run repeats them at its end
  return lines.slice(0, lastCount(output, "skip")).map(([, name = ""]) => name);
}

/** The failed tests, each with its file and the last lines that it printed, which Bun puts before its `(fail)` line. */
function failuresIn(output: string): string[] {
  const failures = new Map<string, string>();
  let file = "";
  let printed: string[] = [];
  for (const line of Bun.stripANSI(output).split("\n")) {
    const [, path] = /^(tests\/\S+):$/.exec(line) ?? [];
    const [, outcome, name] = /^\((pass|fail|skip)\) (.+?)(?: \[[\d.]+ms\])?$/.exec(line) ?? [];
    if (path) file = path;
    // a long run repeats them at its end, without what they printed
    if (outcome === "fail" && !failures.has(`${file}: ${name}`))
      failures.set(`${file}: ${name}`, printed.slice(-40).join("\n"));
    if (path || outcome) printed = [];
    else printed.push(line);
  }
  return [...failures].map(([name, lines]) => `✗ ${name}\n${lines}`);
}

/** The number in the last ` 12 pass` line, which is the summary's: a test may print one as well. */
function lastCount(output: string, word: "pass" | "fail" | "skip"): number {
  return Number([...Bun.stripANSI(output).matchAll(new RegExp(`^ *(\\d+) ${word}$`, "gm"))].at(-1)?.[1] ?? 0);
}

function report(name: string, started: number, tally: Tally): Tally {
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const skipped = tally.skipped.length > 0 ? `, ${tally.skipped.length} skipped` : "";
  console.log(`— ${name}: ${tally.passed} passed, ${tally.failed} failed${skipped}, ${seconds} s\n`);
  return tally;
}

function conclude(tallies: Tally[]): void {
  const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0);
  const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0);
  const skipped = tallies.flatMap((tally) => tally.skipped);
  // what a run of a few files printed is still on the screen
  if (words.length === 0)
    for (const failure of tallies.flatMap((tally) => tally.failures ?? [])) console.log(`${failure}\n`);
  if (skipped.length > 0) console.log(`${skipped.length} skipped: ${skipped.join("; ")}`);
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed > 0 || passed === 0 ? 1 : 0);
}
