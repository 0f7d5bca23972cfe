/** The Chromium that browser tests drive: the machine's own, or Debian's package where that may be installed. */

/** No sandbox, because root has none; nothing that a page doesn't need. Playwright gives it a fresh profile. */
export const chromiumFlags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-gpu-rasterization",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  "--disable-extensions",
];

/** Chromium without windows: the same engine at half the cost. */
const shell = "chromium-headless-shell";
const whole = ["chromium", "chromium-browser", "google-chrome"];

/**
 * The path of the browser's executable, if there is one; `CHROMIUM` names one that is elsewhere.
 * `asVisitors` prefers the one that people have, for what is measured.
 */
export function findChromium({ asVisitors = false } = {}): string | undefined {
  const named = process.env.CHROMIUM;
  if (named) return named;
  const names = asVisitors ? [...whole, shell] : [shell, ...whole];
  return names.map((name) => Bun.which(name)).find((path) => path !== null) ?? undefined;
}

const packages = [shell, "fonts-liberation"];
const install = `apt-get install -y --no-install-recommends ${packages.join(" ")}`;

/** Installs Chromium if it is missing. Resolves to one sentence that says what is wrong, if anything is. */
export async function ensureChromium(): Promise<string | undefined> {
  const { CHROMIUM: named } = process.env;
  if (named) return Bun.which(named) ? undefined : `CHROMIUM names no program: ${named}.`;
  if (findChromium()) return undefined;
  if (!Bun.which("apt-get")) return "Chromium is missing: install it and name its program in CHROMIUM.";
  if (process.getuid?.() !== 0) return `Chromium is missing: run \`sudo ${install}\`.`;
  console.log("Installing Chromium from Debian's packages…");
  const started = performance.now();
  const problem = (await apt("apt-get update")) ?? (await apt(install));
  if (problem) return `Chromium is missing and Debian's packages could not be installed: ${problem}`;
  console.log(`Chromium installed in ${((performance.now() - started) / 1000).toFixed(0)} s.`);
  return findChromium() ? undefined : "Chromium is missing, though its package is installed.";
}

/** Seconds of the processor that installing took: the network's speed decides about them, not the tests. */
export const installing = { user: 0, system: 0 };

async function apt(command: string): Promise<string | undefined> {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const waiting = ["-q", "-o", "DPkg::Lock::Timeout=120"];
  const child = Bun.spawn([...command.split(" "), ...waiting], {
    env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  const { cpuTime } = child.resourceUsage() ?? {};
  installing.user += Number(cpuTime?.user ?? 0) / 1e6;
  installing.system += Number(cpuTime?.system ?? 0) / 1e6;
  return code === 0 ? undefined : err.trim().split("\n").at(-1) || `apt-get ended with ${code}`;
}
