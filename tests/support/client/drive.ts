/**
 * The three clients, each as a program of its own that a story drives in the same way. It gets the client's options as
 * the first line of JSON, then one line a call: its name as in Python, its arguments, how far ahead the clock is, and
 * whether the network is there. While it waits between polls it says so, and goes on when it is told.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProcess } from "../operator/run-process";

const here = import.meta.dir;
const clients = join(here, "../../../src/client");

export type Language = "TypeScript" | "Python" | "C++";
export const languages: Language[] = ["TypeScript", "Python", "C++"];

type Options = {
  shop: string;
  hwid: string;
  version: string;
  token?: string;
  issuers?: string[];
  keys?: object[];
};
export type Verdict = {
  code: string;
  online: boolean;
  grace: boolean;
  type: string | null;
  level: string | null;
  features: string[];
  expires_at: number | null;
  offline_until: number | null;
  message: string | null;
  available_at: number | null;
  minimum_version: string | null;
  why: string | null;
  sign_in: boolean;
  fault: string | null;
};
type Code = {
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
  expires_at: number;
};
/** What the customer does while the application waits; `stop`: they close its window. */
type Meanwhile = (code: Code, seconds: number) => Promise<{ stop?: boolean } | void>;
type Line = { answer?: unknown; show?: Code; wait?: number };

/** Why a language's client can't run here; null if it can. */
export async function missingFor(language: Language): Promise<string | null> {
  const ends = async (...command: string[]) => {
    if (!Bun.which(command[0] ?? "")) return false;
    return (await runProcess(command)).code === 0;
  };
  if (language === "Python") {
    const wanted = "import sys, cryptography; sys.exit(sys.version_info < (3, 9))";
    return (await ends("python3", "-c", wanted)) ? null : "python3 from 3.9 with cryptography";
  }
  if (language === "C++") {
    const header = join(here, "../../../src/client/client.hpp");
    const built = await ends("g++", "-std=c++17", "-E", "-o", "/dev/null", "-x", "c++", header);
    return built ? null : "g++ with OpenSSL's headers";
  }
  return null;
}

/** Builds what has to be built, in a folder of its own that goes away with it. */
export async function buildClients() {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-clients-"));
  const program = join(folder, "drive");
  const warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"];
  const build = async () => {
    const source = join(here, "drive.cpp");
    const { code, err } = await runProcess(
      ["g++", "-std=c++17", "-O0", ...warnings, `-I${clients}`, source, "-lcrypto", "-o", program],
      { cwd: folder },
    );
    if (code !== 0) throw new Error(err);
  };
  return {
    build,
    open: (language: Language, options: Options) => open(commandOf(language, program), options),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

const commandOf = (language: Language, program: string) =>
  ({
    TypeScript: [process.execPath, join(here, "drive-client.ts")],
    Python: ["python3", "-B", join(here, "drive.py")],
    "C++": [program],
  })[language];

export type Application = Awaited<ReturnType<typeof open>>;

/** Starts an application; it ends with the story. */
async function open(command: string[], options: Options) {
  const child = Bun.spawn(command, {
    env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", PYTHONPATH: clients },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const lines = linesOf(child.stdout);
  const write = (line: object) => {
    void child.stdin.write(`${JSON.stringify(line)}\n`);
    return child.stdin.flush();
  };
  const read = async (): Promise<Line> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${command.join(" ")} has ended`);
    return JSON.parse(value) as Line;
  };
  const world = { cable: true, days: 0, broken: [] as ("read" | "write")[] };
  const clock = () => ({
    ahead: Math.round(world.days * 86_400),
    cable: world.cable,
    broken: world.broken,
    stop: false,
  });
  await write(options);

  // oxlint-disable-next-line typescript/no-explicit-any -- a story may read any field
  const ask = async (does: string, given: object = {}, meanwhile?: Meanwhile): Promise<any> => {
    await write({ do: does, ...given, ...clock() });
    let code: Code | undefined;
    for (;;) {
      const line = await read();
      if ("answer" in line) return line.answer;
      if (line.show) code = line.show;
      else if (code && line.wait !== undefined) {
        const told = await meanwhile?.(code, line.wait);
        await write({ ...clock(), ...told });
      }
    }
  };
  return {
    /** Its network, how many days its clock is ahead, and what its keeper can't do. */
    world,
    ask,
    verdict: (
      does: "activate" | "check" | "check_offline" | "use_file",
      given: object = {},
    ): Promise<Verdict> => ask(does, { ...machine, ...given }),
    signIn: (meanwhile: Meanwhile): Promise<string> => ask("sign_in", machine, meanwhile),
    async [Symbol.asyncDispose]() {
      await child.stdin.end();
      await child.exited;
    },
  };
}

export const machine = { label: "Study 東京", os: "Linux x64" };

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let held = "";
  for await (const bytes of stream) {
    const lines = (held + decoder.decode(bytes, { stream: true })).split("\n");
    held = lines.pop() ?? "";
    yield* lines;
  }
}
