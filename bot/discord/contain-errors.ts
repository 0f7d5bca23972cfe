import { failureOf } from "@/core/log/failure";
import type { Log } from "@/core/log/log";

/** A broken client may fail many times a second. */
const quietMilliseconds = 10_000;

/**
 * Keeps errors inside discord.js from ending the process (discordjs/discord.js#10840): its sockets and timers raise
 * some where nobody can catch them. Other uncaught errors still end the process. Returns a function that undoes it.
 */
export function containBot(log: Log): () => void {
  let saidAt = Number.NEGATIVE_INFINITY;
  const contain = (error: unknown) => {
    if (!comesFromBot(error)) return end(log, error);
    if (performance.now() - saidAt < quietMilliseconds) return;
    saidAt = performance.now();
    log.error("an error of the bot was contained", failureOf(error));
  };
  process.on("uncaughtException", contain);
  process.on("unhandledRejection", contain);
  return () => {
    process.off("uncaughtException", contain);
    process.off("unhandledRejection", contain);
  };
}

const comesFromBot = (error: unknown): boolean =>
  error instanceof Error &&
  /[\\/](discord\.js|@discordjs|@sapphire|@vladfrangu)[\\/]/.test(error.stack ?? "");

function end(log: Log, error: unknown): void {
  log.error("the process ends", failureOf(error));
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
}
