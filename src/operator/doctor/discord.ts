import { createLog } from "@/core/log/log";
import type { DiscordConfig } from "@/core/settings/config";
import { GuildForbids, GuildUnavailable } from "@/domain/discord/guild";
import { type ManagedRoles, managedRoles } from "@/domain/discord/level-roles";
import { discordCallback, SignOnUnreachable } from "@/domain/discord/sign-on";
import type { Finding } from "@/domain/system/system";
import type { OpenShop } from "../terminal/command-line";
import { warning, well, wrong } from "./finding";

/** Whether the bot can do its work, and customers can connect their accounts; `tries`: also whether it can change the role. */
export async function discord({ ctx, config }: OpenShop, tries = false): Promise<Finding[]> {
  if (config.discord === "off") {
    const unreported =
      config.ownerEmail === null || config.mail === "off"
        ? " Disputes and other trouble are told in the log alone: set OWNER_EMAIL to be mailed."
        : "";
    return [warning("Discord", `It is off: no roles, no tickets.${unreported}`)];
  }
  if (!config.discord) return [warning("Discord", "The local simulator is used.")];
  const redirect = discordCallback(config.publicUrl);
  const roles = await managedRoles(ctx, config.discord.premiumRoleId);
  const findings = await examineServer(config.discord, { roles, now: ctx.now(), redirect, tries });
  return findings.length === 0 ? [well("Discord", "The bot can do its work.")] : findings;
}

async function examineServer(
  config: DiscordConfig,
  { roles, now, redirect, tries }: { roles: ManagedRoles; now: Date; redirect: string; tries: boolean },
): Promise<Finding[]> {
  const bot = await loadDiscord();
  const quiet = createLog("error", (line) => console.error(line));
  const rest = bot.createRest(config, quiet, { ended: new AbortController().signal });
  try {
    const complaints = await bot.examine(rest, { config, roles, now });
    const isRefused = complaints.some(({ code }) => code === "401");
    // skip checks that Discord would refuse again: Discord counts refusals
    const ofApplication = isRefused
      ? []
      : await bot.applicationComplaints(rest, config, redirect, bot.acceptsClient);
    // a bot that is not in the server has already been reported
    const isBlocked = complaints.some(({ blocking, role }) => blocking && !role);
    const ofTickets = isBlocked ? [] : await bot.ticketComplaints(rest, { config, roles });
    const faulty = new Set(complaints.map(({ role }) => role?.id));
    const given = new Set(roles.levels.map(({ roleId }) => roleId));
    const tried = tries && !isBlocked ? [...given].filter((id) => !faulty.has(id)) : [];
    return [
      ...complaints.map(({ blocking, sentence }) => (blocking ? wrong : warning)("Discord", sentence)),
      ...ofApplication.map((sentence) => wrong("Discord", sentence)),
      ...ofTickets.map((sentence) => warning("Discord", sentence)),
      ...(await Promise.all(tried.map((id) => roleTried(bot.tryRole(rest, config, id), roles)))),
    ];
  } catch (error) {
    if (error instanceof GuildForbids) return [wrong("Discord", bot.refusedSentence(error, config.clientId))];
    if (!(error instanceof GuildUnavailable || error instanceof SignOnUnreachable)) throw error;
    return [warning("Discord", "It can't be reached; the shop sells without it.")];
  } finally {
    bot.closeRest(rest);
  }
}

const roleTried = (trial: Promise<string>, { levels }: ManagedRoles): Promise<Finding> =>
  trial.then(
    (name) => well("Discord", `The bot gave itself the role ${name} and took it back.`),
    (error: unknown) => {
      if (!(error instanceof GuildForbids)) throw error;
      const above = levels.length === 1 ? "the premium role" : "the roles of all levels";
      const sentence = `Discord refuses to change the bot's own roles (${error.code}): drag its role above ${above} in the server's role settings.`;
      return wrong("Discord", sentence);
    },
  );

/** Loads the bot's code for these checks. */
export async function loadDiscord() {
  const parts = await Promise.all([
    import("@bot/discord/rest"),
    import("@bot/server/application-checks"),
    import("@bot/server/server-checks"),
    import("@bot/server/ticket-checks"),
    import("@/gateways/discord/sign-on"),
  ]);
  return { ...parts[0], ...parts[1], ...parts[2], ...parts[3], ...parts[4] };
}
