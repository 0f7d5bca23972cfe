import type { Stage } from "./stage";

const root = new URL("..", import.meta.url).pathname;

export type Ended = { out: string; err: string; code: number };

/** Runs `shop …` as a process of its own with these settings and nothing else of this one's. */
export async function operateWith(env: Record<string, string>, ...args: string[]): Promise<Ended> {
  const child = Bun.spawn([process.execPath, "src/operator/main.ts", ...args], {
    cwd: root,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    env: { PATH: process.env["PATH"] ?? "", ...env },
  });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { out, err, code };
}

/**
 * The same at a terminal. With `outTo` standard output goes to that file, as with `>` in a shell; `shown` is
 * what the terminal was sent.
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
      env: { PATH: process.env["PATH"] ?? "", TERM: "xterm-256color", ...env },
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

/** The settings of a stage's shop, for a command beside it. */
export const settingsOf = ({ dataDir, stripe, mail }: Stage) => ({
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

/** The operator's command beside a stage's running shop. */
export const operate = (stage: Stage, ...args: string[]) => operateWith(settingsOf(stage), ...args);

/** The same, which has to succeed; resolves to its JSON. */
// oxlint-disable-next-line typescript/no-explicit-any -- a story looks at whatever came
export async function operated(stage: Stage, ...args: string[]): Promise<any> {
  const { out, err, code } = await operate(stage, ...args, "--json");
  if (code !== 0) throw new Error(`shop ${args.join(" ")}: ${code} ${out} ${err}`);
  return JSON.parse(out);
}
