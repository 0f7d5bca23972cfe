import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Stage } from "../shop/stage";
import { type Ended, runProcess } from "./run-process";

const root = new URL("../../..", import.meta.url).pathname;

export type OperatorRun = { env: Record<string, string>; args: string[]; terminal: boolean };

const environment = (env: Record<string, string>) => ({
  PATH: process.env["PATH"] ?? "",
  TMPDIR: tmpdir(),
  ...env,
});

/** Runs `shop …` as a process of its own with these settings and nothing else from this one's environment. */
export const operateAlone = (env: Record<string, string>, ...args: string[]): Promise<Ended> =>
  runProcess([process.execPath, "src/operator/main.ts", ...args], { env: environment(env) });

/** Idle processes that run commands for this test file. */
const idle: ReturnType<typeof startOperator>[] = [];

/**
 * The same in a process that has run other commands before, which saves the time to start one. Simultaneous commands
 * are in different processes; one that is meant to die, or is about its process, runs alone.
 */
export const operateWith = (env: Record<string, string>, ...args: string[]): Promise<Ended> =>
  inTurn({ env: environment(env), args, terminal: false });

/** The same with a terminal as standard error. */
export const operateWatched = (env: Record<string, string>, ...args: string[]): Promise<Ended> =>
  inTurn({ env: environment(env), args, terminal: true });

async function inTurn(asked: OperatorRun): Promise<Ended> {
  const operator = idle.pop() ?? startOperator();
  const ended = await operator(asked);
  idle.push(operator);
  return ended;
}

function startOperator(): (asked: OperatorRun) => Promise<Ended> {
  let answered: (ended: Ended) => void = () => {};
  let failed: (error: Error) => void = () => {};
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "operator-process.ts")], {
    cwd: root,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
    env: environment({}),
    ipc: (ended: Ended) => answered(ended),
    onExit: (_, code, signal) => failed(new Error(`the operator's process ended: ${code ?? signal}`)),
  });
  child.unref();
  return (asked) =>
    new Promise((resolve, reject) => {
      [answered, failed] = [resolve, reject];
      child.send(asked);
    });
}

/**
 * The same at a terminal. With `outTo`, standard output goes to that file, as with `>` in a shell; `shown` is
 * what the terminal received.
 */
export async function operateAtTerminal(
  { env, outTo }: { env: Record<string, string>; outTo?: string },
  ...args: string[]
): Promise<{ shown: string; code: number }> {
  let shown = "";
  const decoder = new TextDecoder();
  const command = [process.execPath, "src/operator/main.ts", ...args];
  const child = Bun.spawn(
    outTo ? ["sh", "-c", 'out=$1; shift; exec "$@" > "$out"', "sh", outTo, ...command] : command,
    {
      cwd: root,
      env: environment({ TERM: "xterm-256color", ...env }),
      terminal: {
        cols: 100,
        rows: 30,
        data: (_, bytes) => void (shown += decoder.decode(bytes, { stream: true })),
      },
    },
  );
  const code = await child.exited;
  child.terminal?.close();
  return { shown, code };
}

/** The settings of a stage's shop, for a command that runs beside it. */
export const settingsOf = ({ dataDir, stripe, mail, url }: Stage) => ({
  PUBLIC_URL: url.origin,
  DATA_DIR: dataDir,
  SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
  STRIPE_SECRET_KEY: stripe.secretKey,
  STRIPE_PUBLISHABLE_KEY: stripe.publishableKey,
  STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
  STRIPE_API_URL: stripe.url,
  SMTP_URL: mail.smtpUrl,
  MAIL_FROM: "shop@example.com",
  DISCORD: "off",
});

/** Runs an operator's command beside a stage's running shop. */
export const operate = (stage: Stage, ...args: string[]) => operateWith(settingsOf(stage), ...args);

/** The same for a command that has to succeed; resolves to its JSON. */
// oxlint-disable-next-line typescript/no-explicit-any -- a test may read any field
export async function operated(stage: Stage, ...args: string[]): Promise<any> {
  const { out, err, code } = await operate(stage, ...args, "--json");
  if (code !== 0) throw new Error(`shop ${args.join(" ")}: ${code} ${out} ${err}`);
  return JSON.parse(out);
}
