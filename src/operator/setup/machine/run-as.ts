import { closeSync, fstatSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { settingNames } from "@/core/settings/settings";
import { root } from "./start-files";
import type { ShopUser } from "./user";

type Environment = Record<string, string | undefined>;

type Run = {
  environment: Environment;
  /** The text of the file of answers, which the user can't read. */
  answers: string | null;
  /** The file for what is to be kept, which stays root's. */
  keep: string | null;
  check: boolean;
  /** Whether what is printed comes back instead of being shown. */
  json: boolean;
};

/** The descriptor by which root hands its file of `--keep` to the shop's user. */
export const keepDescriptor = 3;

export const main = join(root, "src/operator/main.ts");

/** Runs the questions of set-up as the shop's user. */
export async function setUpAs(user: ShopUser, run: Run): Promise<{ code: number; printed: string }> {
  const { environment, answers, check, json } = run;
  const keep = run.keep === null ? null : openNew(run.keep);
  const options = [
    "--for-root",
    ...(check ? ["--check"] : []),
    ...(json ? ["--json"] : []),
    ...(answers === null ? [] : ["--answers", "-"]),
    ...(keep === null ? [] : ["--keep", "-"]),
  ];
  process.on("SIGINT", leaveToUser);
  try {
    const runuser = Bun.which("runuser") ?? "runuser";
    const child = Bun.spawn([runuser, "-u", user.name, "--", process.execPath, main, "setup", ...options], {
      cwd: root,
      env: plain(environment, user),
      stdio: [
        answers === null ? "inherit" : new Blob([answers]),
        json ? "pipe" : "inherit",
        "inherit",
        ...(keep === null ? [] : [keep]),
      ],
    });
    const printed = json ? await new Response(child.stdout).text() : "";
    return { code: await child.exited, printed };
  } finally {
    process.off("SIGINT", leaveToUser);
    if (run.keep !== null && keep !== null) {
      const isEmpty = fstatSync(keep).size === 0;
      closeSync(keep);
      if (isEmpty) rmSync(run.keep);
    }
  }
}

/** The user's process answers Ctrl+C. */
const leaveToUser = () => {};

/** Null if there is one already, which is refused once something has to be kept. */
function openNew(file: string): number | null {
  try {
    return openSync(file, "wx", 0o600);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return null;
    throw error;
  }
}

const ofTerminals = ["TERM", "COLORTERM", "NO_COLOR", "LANG", "LC_ALL", "LC_CTYPE", "NODE_EXTRA_CA_CERTS"];

/** The settings and what a terminal needs, and nothing else of root's. */
function plain(environment: Environment, { dataDir }: ShopUser): Record<string, string> {
  const taken = [...settingNames, ...ofTerminals].flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(taken),
    PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    HOME: dataDir,
    NODE_ENV: "production",
    DATA_DIR: dataDir,
    BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0",
  };
}
