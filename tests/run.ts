/**
 * `npm test`, `bun run test`: the checks and the tests of every day; ends with `N passed, N failed`.
 *
 *     bun run test                        what is run with every change
 *     bun run test:all                    that, and the long parts: kills, several processes, storage, models …
 *     bun run test:all --rest             the long parts alone
 *     bun run test stories/payments       the test files whose path contains the words, without the checks
 *     bun run test stories/payments -t won those of their tests whose name contains the word
 *     bun run test screens --rerun-each=3   options go to `bun test`, with their value after an equals sign
 *     bun run test --update-timings       what is known of each file's time, for everybody
 *
 * The cores are kept busy: checks, screens and browser run one after the other beside the stories, of which the
 * longest begin first, by the times of the last run here, or else by those in `timings.json`. What a machine lacks is a
 * named skip; with CI set, nothing may be skipped but for what `parts.ts` lists. LATCHKEY_SKIP_BROWSER leaves out the
 * browser, and CHROMIUM names its program where it stands elsewhere.
 */
import { joinRate } from "./bench/join-rate";
import { check, describeCheck, type CheckName } from "./check";
import { daily, drivesChromium, mayBeSkipped, type Part, rest } from "./parts";
import { ensureChromium, installing } from "./support/checks/chromium";
import { gatherTallies, mostInvalid } from "./support/checks/discord-tally";
import {
  gatherFileTimes,
  keepTimings,
  secondsOf,
  type Times,
  timingsHere,
} from "./support/checks/file-times";
import { complainAbout } from "./support/checks/query-plans";
import { minutes, runTimes, watchTree } from "./support/checks/run-times";
import { gatherStatements } from "./support/checks/statements";
import { testTimeout } from "./support/checks/test-timeout";
import { failuresIn, interruptedIn, lastCount, skippedIn } from "./support/checks/test-output";

interface Tally {
  passed: number;
  failed: number;
  skipped: string[];
  /** What each failed test printed, for the end of a run of everything: nobody finds it between thousands of others. */
  failures?: string[];
}

interface Wanted {
  part: Part;
  files: string[];
}

const nothing: Tally = { passed: 0, failed: 0, skipped: [] };
const root = new URL("..", import.meta.url).pathname;
/** Seconds of the processor that no process of ours has waited for. */
const unwaited = { user: 0, system: 0 };
/** Seconds of wall time that a file of the day's part may take. */
const budget = 20;

const { words, options, all, onlyRest, updatesTimings } = argumentsOf(process.argv.slice(2));
expectFiles();
const discord = await gatherTallies();
const statements = await gatherStatements();
const fileTimes = await gatherFileTimes();
await main();

/** Words, our own options, and those of `bun test` with what belongs to them. */
function argumentsOf(given: string[]) {
  const own = ["--all", "--rest", "--update-timings"];
  const named = new Set(["-t", "--test-name-pattern"]);
  const others = given.filter((argument) => !own.includes(argument));
  const isOption = (argument: string, at: number) =>
    argument.startsWith("-") || named.has(others[at - 1] ?? "");
  return {
    words: others.filter((argument, at) => !isOption(argument, at)),
    options: others.filter((argument, at) => isOption(argument, at)),
    all: given.includes("--all") || given.includes("--rest"),
    onlyRest: given.includes("--rest"),
    updatesTimings: given.includes("--update-timings"),
  };
}

function expectFiles(): void {
  if (inParts([...daily, ...rest]).length > 0) return;
  console.error(`No test file's path contains ${words.join(" or ")}.`);
  process.exit(1);
}

async function main(): Promise<void> {
  const tallies: Tally[] = [];
  if (words.length > 0) {
    const wanted = inParts([...daily, ...rest]);
    const browser = wanted.some(({ part }) => drivesChromium(part)) ? prepareBrowser() : undefined;
    for (const one of wanted) tallies.push(await runPart(one, { browser, aloud: true }));
  } else {
    const browser = prepareBrowser();
    if (!onlyRest) await runBeside(tallies, daily, ["types", "lint", "format", "dead code"], browser);
    if (all) await runBeside(tallies, rest, ["lint with types"], browser);
  }
  tallies.push(await judgeManners(), await judgeQueries());
  await reportTimes();
  if (words.length === 0) await reportRun();
  conclude(tallies);
}

/** Two rows of parts beside each other: those of servers, and the checks, the screens and what needs a machine. */
async function runBeside(
  tallies: Tally[],
  parts: Part[],
  checks: CheckName[],
  browser: Promise<string | undefined> | undefined,
): Promise<void> {
  const wanted = inParts(parts);
  const row = async (mine: Wanted[], aloud: boolean) => {
    for (const one of mine) tallies.push(await runPart(one, { browser, aloud }));
  };
  await Promise.all([
    row(
      wanted.filter(({ part }) => part.ofServers),
      true,
    ),
    (async () => {
      tallies.push(await runChecks(checks));
      await row(
        wanted.filter(({ part }) => !part.ofServers),
        false,
      );
    })(),
  ]);
}

function inParts(parts: Part[]): Wanted[] {
  return parts.map((part) => ({ part, files: filesOf(part) })).filter(({ files }) => files.length > 0);
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
  const fault = `✗ Discord got ${own} invalid requests`;
  return own < mostInvalid ? nothing : { ...nothing, failed: 1, failures: [fault] };
}

/** Fails a run in which a shop made a query that takes longer the more customers it has; says nothing if none ran. */
async function judgeQueries(): Promise<Tally> {
  const made = await statements.all();
  if (made.length === 0) return nothing;
  const complaints = await complainAbout(made);
  console.log(
    `— ${made.length} queries of requests and timers: ${complaints.length} without a fitting index\n`,
  );
  for (const complaint of complaints) console.log(`  ${complaint}\n`);
  return { ...nothing, failed: complaints.length, failures: complaints.map((one) => `✗ ${one}`) };
}

function filesOf(part: Part): string[] {
  const found = part.files.flatMap((pattern) =>
    [...new Bun.Glob(pattern).scanSync({ cwd: root })].toSorted(),
  );
  return words.length === 0 ? found : found.filter((file) => words.some((word) => file.includes(word)));
}

async function runChecks(names: CheckName[]): Promise<Tally> {
  const started = performance.now();
  const results = await check(names);
  for (const result of results) console.log(describeCheck(result));
  const failures = results.filter((result) => !result.passed).map(describeCheck);
  const passed = results.length - failures.length;
  return report("checks", started, { passed, failed: failures.length, skipped: [], failures });
}

/** Resolves to what is wrong with the browser, if anything is; it is fetched while other parts run. */
function prepareBrowser(): Promise<string | undefined> | undefined {
  return process.env.LATCHKEY_SKIP_BROWSER ? undefined : ensureChromium();
}

/** `aloud` prints the tests' output as it comes; otherwise it is printed when the part has ended. */
async function runPart(
  { part, files }: Wanted,
  { browser, aloud }: { browser: Promise<string | undefined> | undefined; aloud: boolean },
): Promise<Tally> {
  const started = performance.now();
  if (drivesChromium(part)) {
    if (!browser) {
      console.log(`— ${part.name}: left out, because LATCHKEY_SKIP_BROWSER is set`);
      return { ...nothing, skipped: files };
    }
    const problem = await browser;
    if (problem) {
      console.log(problem);
      return report(part.name, started, { ...nothing, skipped: files });
    }
  }
  const tallies = [await runFiles(part, files, { aloud })];
  const left = tallies[0]?.left ?? [];
  if (left.length > 0) {
    console.log(
      `— ${part.name}: Bun crashed; the ${left.length} files that had not ended are run once more\n`,
    );
    tallies.push(await runFiles(part, left, { aloud }));
  }
  const sum = (of: (tally: Ran) => number) => tallies.reduce((total, tally) => total + of(tally), 0);
  const stillLeft = tallies.at(-1)?.left.map((file) => `✗ ${file}: Bun crashed twice`) ?? [];
  return report(
    part.name,
    started,
    {
      passed: sum(({ passed }) => passed),
      failed: sum(({ failed }) => failed) + (tallies.length > 1 ? stillLeft.length : 0),
      skipped: tallies.flatMap((tally) => tally.skipped),
      failures: [
        ...tallies.flatMap(({ failures = [] }) => failures),
        ...(tallies.length > 1 ? stillLeft : []),
      ],
    },
    sum(({ taken }) => taken),
  );
}

interface Ran extends Tally {
  /** Files whose worker crashed, and those that Bun gave up because of it: no test of ours ends a process like that. */
  left: string[];
  /** Seconds of the processor. */
  taken: number;
}

async function runFiles(part: Part, files: string[], { aloud }: { aloud: boolean }): Promise<Ran> {
  const command = [
    process.execPath,
    "--no-orphans",
    ...(part.beside ? [...part.beside, "--no-orphans"] : []),
    "test",
    // `preload.ts` sets the default only for a process's first file
    `--timeout=${testTimeout}`,
    ...part.options,
    ...(part.ofServers ? (await timingsHere()).map((file) => `--timings=${file}`) : []),
    ...(part.ofServers && updatesTimings ? ["--update-timings"] : []),
    ...options,
    ...files.map((file) => `./${file}`),
  ];
  const env = { ...process.env, ...discord.env, ...statements.env, ...fileTimes.env };
  const child = Bun.spawn(command, { cwd: root, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const tree = drivesChromium(part) ? watchTree(child.pid) : null;
  const pass = aloud ? (bytes: Uint8Array) => void process.stdout.write(bytes) : () => {};
  const [out, err, code] = await Promise.all([
    read(child.stdout, pass),
    read(child.stderr, pass),
    child.exited,
  ]);
  if (!aloud) process.stdout.write(`\n${out}${err}`);
  const taken = takenBy(child, tree?.stop());
  // a name may be that of a test in one part alone
  if (words.length > 0 && /matched 0 tests/.test(err)) return { ...nothing, left: [], taken };
  const left = interruptedIn(err);
  const failed = lastCount(err, "fail") - left.length;
  const crashed = code !== 0 && lastCount(err, "fail") === 0;
  return {
    passed: lastCount(err, "pass"),
    failed: crashed ? 1 : failed,
    skipped: skippedIn(err),
    failures: crashed ? [`✗ ${part.name} ended with ${code}\n${err.slice(-2_000)}`] : failuresIn(err),
    left,
    taken,
  };
}

/** Seconds of the processor; Chromium's processes are those of `tree`, of which nobody waits for the end. */
function takenBy(child: Bun.Subprocess, tree?: { user: number; system: number }): number {
  const { cpuTime } = child.resourceUsage() ?? {};
  const waited = { user: Number(cpuTime?.user ?? 0) / 1e6, system: Number(cpuTime?.system ?? 0) / 1e6 };
  const taken = tree ?? waited;
  unwaited.user += Math.max(0, taken.user - waited.user);
  unwaited.system += Math.max(0, taken.system - waited.system);
  return taken.user + taken.system;
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

function report(name: string, started: number, tally: Tally, taken?: number): Tally {
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const skipped = tally.skipped.length > 0 ? `, ${tally.skipped.length} skipped` : "";
  const cpu = taken === undefined ? "" : `, ${taken.toFixed(0)} s of the processor`;
  console.log(`— ${name}: ${tally.passed} passed, ${tally.failed} failed${skipped}, ${seconds} s${cpu}\n`);
  return tally;
}

/** What each file took; those above their budget are named, and the next run begins with the longest. */
async function reportTimes(): Promise<void> {
  const times = await fileTimes.all();
  if (times.length === 0) return;
  // a story, or a file run several times, is no measure of its file
  if (options.length === 0) await keepTimings(times);
  const line = (file: string, { wall, cpu }: Times) =>
    `${secondsOf(wall)} ${secondsOf(cpu)} ${isOver(file, wall) ? "!" : " "} ${file}`;
  console.log("seconds and processor seconds of each file");
  for (const [file, spent] of times) console.log(line(file, spent));
  const over = times.filter(([file, { wall }]) => isOver(file, wall));
  for (const [file, { wall }] of over) {
    console.log(`! ${file} took ${wall.toFixed(0)} s; a file of the day's part may take ${budget}.`);
  }
  console.log();
}

function isOver(file: string, wall: number): boolean {
  return wall > budget && !/^tests\/(long|manual)\//.test(file);
}

/** What the whole run took, and how fast this machine is. */
async function reportRun(): Promise<void> {
  const { wall, user, system } = runTimes();
  const allUser = user + unwaited.user - installing.user;
  const allSystem = system + unwaited.system - installing.system;
  const rate = Math.round(await joinRate());
  console.log(
    `— wall ${minutes(wall)}, user ${minutes(allUser)}, system ${minutes(allSystem)}; ` +
      `a bare join answers ${rate.toLocaleString("en-US")} requests a second here\n`,
  );
}

function conclude(tallies: Tally[]): void {
  const skipped = tallies.flatMap((tally) => tally.skipped);
  const missing = process.env.CI ? skipped.filter((name) => !reasonFor(name)) : [];
  const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0);
  const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0) + missing.length;
  // what a run of a few files printed is still on the screen
  if (words.length === 0)
    for (const failure of tallies.flatMap((tally) => tally.failures ?? [])) console.log(`${failure}\n`);
  for (const name of missing) console.log(`✗ skipped, which CI may not: ${name}`);
  if (skipped.length > 0) console.log(`${skipped.length} skipped: ${skipped.join("; ")}`);
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed > 0 || passed === 0 ? 1 : 0);
}

function reasonFor(name: string): string | undefined {
  return Object.entries(mayBeSkipped).find(([beginning]) => name.startsWith(beginning))?.[1];
}
