import { keepLease } from "@/core/jobs/lease";
import type { BotParts } from "./bot-services";
import type { BotSession } from "./bot-session";
import { containBot } from "./discord/contain-errors";
import { identifyBudget } from "./discord/identify-budget";

export type Bot = {
  /** `elsewhere`: another process runs the bot. `away`: this one does, but isn't connected to the gateway. */
  state(): "elsewhere" | ReturnType<BotSession["state"]>;
  stop(): Promise<void>;
};

/**
 * Runs the bot while this process holds the lease, so that only one of several processes does, and another takes over
 * within 20 seconds of its death. Bot failures never reach the shop: this neither throws nor rejects.
 */
export function startBot(parts: BotParts): Bot {
  const { ctx, config } = parts;
  const budget = identifyBudget(ctx, config.clientId);
  const release = containBot(ctx.log);
  let session: BotSession | null = null;
  const lease = keepLease(ctx, "discord-bot", {
    async gained() {
      // loading discord.js takes a third of a second: the shop answers before that
      const { startBotSession } = await import("./bot-session");
      session = startBotSession(parts, budget, () => lease.isMine());
    },
    async lost(how) {
      const ending = session;
      session = null;
      await ending?.stop(how);
    },
  });
  return {
    state: () => (session ? session.state() : "elsewhere"),
    async stop() {
      await lease.stop();
      release();
    },
  };
}
