/**
 * `npm test`, `bun run test`: the checks, then every test file, part by part; ends with `N passed, N failed`.
 *
 *     bun run test                       everything
 *     bun run test stories/dispute       the test files whose path holds the words, without the checks
 *     bun run test screens --rerun-each=3   options go to `bun test`
 */
import { check, describeCheck } from "./check";
import { ensureChromium } from "./chromium";
import { gatherTallies, mostInvalid } from "./discord-tally";

interface Tally {
  passed: number;
  failed: number;
}

interface Part {
  name: string;
  files: string[];
  options: string[];
}

const root = new URL("..", import.meta.url).pathname;
const parts: Part[] = [
  { name: "rules", files: ["tests/*.test.ts", "tests/units/**/*.test.{ts,tsx}"], options: ["--parallel=2"] },
  { name: "stories", files: ["tests/stories/**/*.test.{ts,tsx}"], options: ["--parallel=2"] },
  {
    // In a run of its own: a page's globals and a server's do not live in one process.
    name: "screens",
    files: ["tests/screens/**/*.test.{ts,tsx}"],
    options: ["--parallel=2", "--preload=./tests/preload.ts", "--preload=./tests/screens/happy-dom.ts"],
  },
  { name: "browser", files: ["tests/browser/**/*.test.ts"], options: [] },
];

const words = process.argv.slice(2).filter((argument) => !argument.startsWith("-"));
const options = process.argv.slice(2).filter((argument) => argument.startsWith("-"));
const discord = await gatherTallies();
await main();

async function main(): Promise<void> {
  const wanted = parts
    .map((part) => ({ part, files: filesOf(part) }))
    .filter(({ files }) => files.length > 0);
  if (words.length > 0 && wanted.length === 0) {
    console.error(`No test file's path holds ${words.join(" or ")}.`);
    process.exit(1);
  }
  // Fetched while the other parts run.
  const browser =
    wanted.some(({ part }) => part.name === "browser") && !skipsBrowser() ? ensureChromium() : undefined;
  const tallies: Tally[] = [];
  if (words.length === 0) tallies.push(await runChecks());
  for (const { part, files } of wanted)
    tallies.push(
      part.name === "browser" ? await runBrowser(part, files, browser) : await runPart(part, files),
    );
  tallies.push(await judgeManners());
  conclude(tallies);
}

/** Fails a run in which shops made too many requests that Discord counts as invalid; says nothing where none ran. */
async function judgeManners(): Promise<Tally> {
  const { requests, invalid, invalidFaulted, overrun } = await discord.sum();
  if (requests === 0) return { passed: 0, failed: 0 };
  const own = invalid - invalidFaulted;
  const overrunIn = Object.entries(overrun).map(([route, count]) => `${count} × ${route}`);
  console.log(
    `— Discord was asked ${requests} times: ${own} invalid (of fewer than ${mostInvalid}), of which ` +
      `${overrunIn.join(", ") || "none"} into an exhausted bucket; ${invalidFaulted} more were ordered by stories\n`,
  );
  return { passed: 0, failed: own < mostInvalid ? 0 : 1 };
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
  const passed = results.filter((result) => result.passed).length;
  return report("checks", started, { passed, failed: results.length - passed });
}

async function runBrowser(
  part: Part,
  files: string[],
  browser?: Promise<string | undefined>,
): Promise<Tally> {
  if (skipsBrowser()) {
    console.log("— browser: left out, because LATCHKEY_SKIP_BROWSER is set");
    return { passed: 0, failed: 0 };
  }
  const problem = await browser;
  if (!problem) return runPart(part, files);
  console.log(problem);
  return report(part.name, performance.now(), { passed: 0, failed: files.length });
}

function skipsBrowser(): boolean {
  return Boolean(process.env.LATCHKEY_SKIP_BROWSER);
}

async function runPart(part: Part, files: string[]): Promise<Tally> {
  const started = performance.now();
  const paths = files.map((file) => `./${file}`);
  const command = [
    process.execPath,
    "--no-orphans",
    "test",
    "--timeout=120000",
    ...part.options,
    ...options,
    ...paths,
  ];
  const env = { ...process.env, ...discord.env };
  const child = Bun.spawn(command, { cwd: root, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [, said, code] = await Promise.all([echo(child.stdout), echo(child.stderr), child.exited]);
  const passed = lastCount(said, "pass");
  const failed = lastCount(said, "fail");
  // A run that ended badly without a failed test has crashed, and that is a failure too.
  return report(part.name, started, { passed, failed: code !== 0 && failed === 0 ? 1 : failed });
}

/** Passes a stream on as it comes, and answers all of it. */
async function echo(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of stream) {
    process.stdout.write(bytes);
    text += decoder.decode(bytes, { stream: true });
  }
  return text;
}

/** The number in the last ` 12 pass` line, which is the summary's: a test may print one as well. */
function lastCount(said: string, word: "pass" | "fail"): number {
  return Number([...Bun.stripANSI(said).matchAll(new RegExp(`^ *(\\d+) ${word}$`, "gm"))].at(-1)?.[1] ?? 0);
}

function report(name: string, started: number, tally: Tally): Tally {
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`— ${name}: ${tally.passed} passed, ${tally.failed} failed, ${seconds} s\n`);
  return tally;
}

function conclude(tallies: Tally[]): void {
  const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0);
  const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0);
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed > 0 || passed === 0 ? 1 : 0);
}
