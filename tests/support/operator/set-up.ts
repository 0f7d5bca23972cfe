import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSettingsFile } from "@/core/settings/settings-file";
import { freePort } from "../shop/free-port";
import { operateWith } from "./run-operator";

type Answers = Record<string, string>;

/** The answers of a shop without mail and Discord, but for its address, backups and Stripe. */
export const usualAnswers = {
  OWNER_NAME: "Olga Owner",
  OWNER_EMAIL: "olga@example.com",
  PRODUCT: "Brushwork",
  PRICE: "29",
  SMTP_URL: "off",
  DISCORD_BOT_TOKEN: "off",
};

/** An empty machine on which a shop is set up by files of answers. Use it as `await using machine = await openMachine()`. */
export async function openMachine(answers: Answers = {}, environment: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-setup-"));
  const dataDir = join(folder, "data");
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const env = { DATA_DIR: dataDir, PORT: String(port), ...environment };
  const usual = {
    ...usualAnswers,
    PUBLIC_URL: address,
    BACKUP_TO: join(folder, "backups"),
    ...answers,
  };
  let runs = 0;

  /** The words of a set-up that takes these answers besides the usual ones. */
  async function answered(more: Answers = {}): Promise<{ words: string[]; keep: string }> {
    runs += 1;
    const file = join(folder, `answers-${runs}.env`);
    const keep = join(folder, `keep-${runs}.env`);
    const lines = Object.entries({ ...usual, ...more }).map(([name, value]) => `${name}='${value}'\n`);
    await Bun.write(file, lines.join(""));
    await chmod(file, 0o600);
    return { words: ["setup", "--answers", file, "--keep", keep], keep };
  }

  return {
    folder,
    dataDir,
    address,
    env,
    settings: () => readSettingsFile(dataDir),
    answered,
    /** Runs set-up once with these answers besides the usual ones; each run has a new file for what is to be kept. */
    async setUp(more: Answers = {}, ...options: string[]) {
      const { words, keep } = await answered(more);
      return { ...(await operateWith(env, ...words, ...options)), keep };
    },
    run: (...args: string[]) => operateWith(env, ...args),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** What the Stripe simulator's keys are as answers. */
export const stripeAnswers = (stripe: { secretKey: string; publishableKey: string; url: string }) => ({
  STRIPE_SECRET_KEY: stripe.secretKey,
  STRIPE_PUBLISHABLE_KEY: stripe.publishableKey,
  STRIPE_API_URL: stripe.url,
});
