import { closeSync, fstatSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "@/core/settings/in-owners-words";
import { settingNames } from "@/core/settings/settings";
import type { Environment } from "@/core/settings/settings-here";
import { placeOf, systemPath } from "./program";
import { codeFolder } from "./start-files";
import type { ShopUser } from "./user";

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

export const main = join(codeFolder, "src/operator/main.ts");

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
  // in a session of its own, the shop's user can't type into root's terminal (TIOCSTI)
  const as = [placeOf("setsid"), "-w", placeOf("runuser")];
  const command = [...as, "-u", user.name, "--", process.execPath, main, "setup", ...options];
  let child: Bun.Subprocess | undefined;
  const leave = () => child?.kill("SIGTERM");
  process.on("SIGINT", leave);
  try {
    const started = Bun.spawn(command, {
      cwd: codeFolder,
      env: childEnvironment(environment, user),
      stdio: [
        answers === null ? "inherit" : new Blob([answers]),
        json ? "pipe" : "inherit",
        "inherit",
        ...(keep === null ? [] : [keep]),
      ],
    });
    child = started;
    const printed = json ? await new Response(started.stdout).text() : "";
    return { code: await started.exited, printed };
  } finally {
    process.off("SIGINT", leave);
    if (run.keep !== null && keep !== null) {
      const isEmpty = fstatSync(keep).size === 0;
      closeSync(keep);
      if (isEmpty) rmSync(run.keep);
    }
  }
}

/** Null if there is one already, which is refused once something has to be kept. */
function openNew(file: string): number | null {
  try {
    return openSync(file, "wx", 0o600);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return null;
    throw error;
  }
}

const ofTerminals = ["TERM", "COLORTERM", "NO_COLOR", "LANG", "LC_ALL", "LC_CTYPE", "NODE_EXTRA_CA_CERTS"];

/** The settings and what a terminal needs, and nothing else of root's. */
function childEnvironment(environment: Environment, { dataDir }: ShopUser): Record<string, string> {
  const taken = [...settingNames, ...ofTerminals].flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(taken),
    PATH: systemPath,
    HOME: dataDir,
    NODE_ENV: "production",
    DATA_DIR: dataDir,
    BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0",
  };
}
