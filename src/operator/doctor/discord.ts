import { createLog } from "@/core/log/log";
import type { DiscordConfig } from "@/core/settings/config";
import { GuildForbids } from "@/domain/discord/guild";
import { discordCallback } from "@/domain/discord/sign-on";
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
  const findings = await examineServer(config.discord, { now: ctx.now(), redirect, tries });
  return findings.length === 0 ? [well("Discord", "The bot can do its work.")] : findings;
}

async function examineServer(
  config: DiscordConfig,
  { now, redirect, tries }: { now: Date; redirect: string; tries: boolean },
): Promise<Finding[]> {
  const { applicationComplaints, acceptsClient, closeRest, createRest, examine, ticketComplaints, tryRole } =
    await loadDiscord();
  const quiet = createLog("error", (line) => console.error(line));
  const rest = createRest(config, quiet, { ended: new AbortController().signal });
  try {
    const complaints = await examine(rest, config, now);
    const isRefused = complaints.some(({ code }) => code === "401");
    // skip checks that Discord would refuse again: Discord counts refusals
    const ofApplication = isRefused ? [] : await applicationComplaints(rest, config, redirect, acceptsClient);
    // a bot that is not in the server has already been reported
    const isBlocked = complaints.some(({ blocking }) => blocking);
    const ofTickets = isBlocked ? [] : await ticketComplaints(rest, config);
    return [
      ...complaints.map(({ blocking, sentence }) => (blocking ? wrong : warning)("Discord", sentence)),
      ...ofApplication.map((sentence) => wrong("Discord", sentence)),
      ...ofTickets.map((sentence) => warning("Discord", sentence)),
      ...(tries && !isBlocked ? [await roleTried(tryRole(rest, config))] : []),
    ];
  } catch {
    return [warning("Discord", "It can't be reached; the shop sells without it.")];
  } finally {
    closeRest(rest);
  }
}

const roleTried = (trial: Promise<string>): Promise<Finding> =>
  trial.then(
    (name) => well("Discord", `The bot gave itself the role ${name} and took it back.`),
    (error: unknown) => {
      if (!(error instanceof GuildForbids)) throw error;
      const sentence = `Discord refuses to change the bot's own roles (${error.code}): drag its role above the premium role in the server's role settings.`;
      return wrong("Discord", sentence);
    },
  );

/** Loads the bot's code for this check. */
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
