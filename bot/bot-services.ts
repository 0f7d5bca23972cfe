import { type REST, Routes } from "discord.js";
import { hour, minute } from "@/contract/vocabulary/time";
import type { DiscordConfig } from "@/core/settings/config";
import { commit, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import type { LimitTable } from "@/contract/vocabulary/limits";
import type { Metrics } from "@/core/log/metrics";
import { topicHandlers } from "@/core/jobs/job-handlers";
import { retryNow } from "@/core/jobs/outbox";
import { botTopics } from "@/domain/outbox-topics";
import type { ScheduledJob, Scheduler } from "@/core/jobs/scheduler";
import type { Worker } from "@/core/jobs/worker";
import type { Guild } from "@/domain/discord/guild";
import { areRolesMoving, managedRoles, moveRoles } from "@/domain/discord/level-roles";
import { reconcileMember } from "@/domain/discord/reconcile-member";
import { noticeExpiries, reconcileMembers } from "@/domain/discord/reconcile-members";
import { reportEach } from "@/domain/notices/report-once";
import type { BuildStore } from "@/domain/releases/store";
import { registerCommands } from "./commands/all";
import { createPosts } from "./discord/posts";
import type { Reachability } from "./discord/reachability";
import { noticeBoard } from "./notice-board";
import { releaseNews } from "./release-news";
import { serialQueue } from "./discord/serial-queue";
import { createCircuits } from "./server/circuit";
import { createGuild } from "./server/guild";
import type { Complaint } from "./server/level-role";
import { examine, unexplainedComplaint } from "./server/server-checks";
import { startTicketService, type TicketService } from "./tickets/ticket-service";

/** What the bot needs from the shop. */
export type BotParts = {
  ctx: Ctx;
  config: DiscordConfig;
  publicUrl: URL;
  limits: LimitTable;
  /** The store of tickets' attachments. */
  files: BuildStore;
  metrics: Metrics;
  worker: Worker;
  scheduler: Scheduler;
};

const reconcileEveryMilliseconds = hour;
/**
 * Each new gateway session requests a reconciliation of all members; an unstable connection gets one at most this
 * often.
 */
const reconcilePauseMilliseconds = minute;
const expiryEveryMilliseconds = 15_000;
const circuitEveryMilliseconds = 5_000;
/**
 * How often the bot probes an unreachable API by asking for its gateway, which costs nothing and needs no permission.
 */
const probeEveryMilliseconds = 10_000;

const roleTopics = [botTopics.reconcileMember, botTopics.moveRoles, botTopics.moveMember];

export type BotServices = {
  guild: Guild;
  tickets: TicketService;
  /** Makes a member's roles right now. */
  reconcile: (userId: string) => Promise<void>;
  /** Requests a reconciliation of all members. */
  reconcileMembers: () => void;
  /** Call after each new gateway session: requests a reconciliation, and retries at once what failed before. */
  reconnected(): void;
  /** Checks whether the bot can do its work in the server. */
  examine: () => Promise<Complaint[]>;
  stop(): Promise<void>;
};

/** The bot's work over REST, whether or not the gateway is connected. */
export function startBotServices(
  { ctx, config, files, publicUrl, metrics, worker, scheduler }: BotParts,
  rest: REST,
  reachable: Reachability,
): BotServices {
  const circuits = createCircuits(() => ctx.now().getTime(), config.premiumRoleId, {
    opened(code) {
      ctx.log.warn("Discord refused a call; no more are made until the cause has been checked", { code });
      void inspect(false).catch(() => {});
    },
    recovered: () => void Promise.all([report(ctx, known), resume()]).catch(() => {}),
  });
  /** What the last examination found. */
  let known: Complaint[] = [];
  const stopping = new AbortController();
  const guild = createGuild({ rest, config, circuits, stop: stopping.signal });
  const posts = createPosts(rest);
  const tickets = startTicketService({ ctx, rest, posts, config, publicUrl, files, scheduler });
  const inTurn = serialQueue();
  /** Those of one member follow each other, although two lanes and staff ask for them: each commits before the next begins. */
  const reconcile = (userId: string): Promise<void> =>
    inTurn(userId, async () => commit(ctx.store, await reconcileMember(ctx, guild, userId)));
  const reconcileSubject = async ({ subject }: { subject: string }): Promise<Write[]> => {
    await reconcile(subject);
    return [];
  };
  const work = topicHandlers(botTopics, {
    reconcileMember: reconcileSubject,
    moveMember: reconcileSubject,
    moveRoles: async () => {
      // before a new role is given, it is known whether it may be
      await inspect(true);
      return moveRoles(ctx, guild);
    },
    ...tickets.handlers,
    ...releaseNews(ctx, { posts, channelId: config.newsChannelId, publicUrl, stop: stopping.signal }),
    ...noticeBoard(ctx, { posts, channelId: config.staffChannelId, stop: stopping.signal }),
  });
  const lanes = worker.add(work, {
    longestSleepMilliseconds: 1_000,
    // most jobs wait for one rate-limit bucket while another has room
    atOnce: 32,
    // each attachment is held in memory, up to 8 MiB
    // half of what Discord takes in ten seconds, so that a new customer's change has room
    atOnceIn: { file: 1, roles: 5 },
  });

  /** Retries at once what was delayed while the circuit was open. */
  const resume = async () => {
    await retryNow(ctx, roleTopics);
    memberReconciliation.soon();
  };

  /** Finds out what is wrong, notifies staff once, and resumes work when nothing is. */
  const inspect = async (anew: boolean): Promise<Complaint[]> => {
    const roles = await managedRoles(ctx, config.premiumRoleId);
    const complaints = await examine(rest, { config, roles, now: ctx.now() });
    const levelRoles = roles.levels.map(({ roleId }) => roleId);
    const isFirst = !circuits.areExamined();
    if (circuits.examined({ complaints, levelRoles, anew })) await resume();
    else if (isFirst) await retryNow(ctx, roleTopics);
    known = complaints;
    const code = circuits.unexplained();
    const all = code ? [...complaints, unexplainedComplaint(code)] : complaints;
    await report(ctx, all);
    await reportMember(ctx, circuits.alone());
    return all;
  };

  const found = metrics.level(
    "latchkey_survey_differences",
    "Members with a wrong role at the last check of all members.",
  );
  const foundInAll = metrics.sum(
    "latchkey_survey_differences_total",
    "Members with a wrong role, over all checks of all members since the start.",
  );
  let expiriesSeen = ctx.now();
  const examination = scheduler.add({ name: "examination", run: () => inspect(false) });
  const memberReconciliation = scheduler.add({
    name: "survey",
    everyMilliseconds: reconcileEveryMilliseconds,
    pauseMilliseconds: reconcilePauseMilliseconds,
    async run() {
      // so that nobody gets a role that has become too powerful; if it fails, the survey goes on by the last one
      await examination.run();
      if (circuits.isOpen()) return false;
      const topic = (await areRolesMoving(ctx)) ? botTopics.moveMember : botTopics.reconcileMember;
      const { members, differences } = await reconcileMembers(ctx, guild, topic);
      found(differences);
      foundInAll(differences);
      ctx.log.info("the server was compared with the licences", { count: members, attempts: differences });
      await retryNow(ctx, roleTopics);
      return true;
    },
  });
  // separate jobs, so that the failure of one doesn't keep the others from running
  const whenConnected: ScheduledJob[] = [
    memberReconciliation,
    examination,
    scheduler.add({ name: "commands", run: () => registerCommands(rest, config, stopping.signal) }),
  ];
  const periodic: ScheduledJob[] = [
    ...whenConnected,
    scheduler.add({
      name: "expiries",
      everyMilliseconds: expiryEveryMilliseconds,
      async run() {
        const now = ctx.now();
        await noticeExpiries(ctx, expiriesSeen);
        expiriesSeen = now;
      },
    }),
    scheduler.add({
      name: "circuit",
      everyMilliseconds: circuitEveryMilliseconds,
      run: async () => void (circuits.isDue() && (await inspect(false))),
    }),
    scheduler.add({
      name: "Discord away",
      everyMilliseconds: probeEveryMilliseconds,
      // a failure is expected, and must not slow down the next probe
      run: async () => void (reachable.isAway() && (await rest.get(Routes.gateway()).catch(() => {}))),
    }),
  ];

  /** Requests what a new connection needs, and retries at once what failed while Discord was away. */
  const reconnected = () => {
    for (const job of whenConnected) job.afresh();
    tickets.reconnected();
    void retryNow(
      ctx,
      work.map(({ topic }) => topic),
    ).catch(() => {});
  };
  reachable.onBack(() => {
    ctx.log.info("Discord answers again");
    reconnected();
  });

  return {
    guild,
    tickets,
    reconcile,
    reconcileMembers: () => memberReconciliation.soon(),
    reconnected,
    examine: () => inspect(true),
    async stop() {
      stopping.abort();
      await Promise.all(periodic.map((job) => job.stop()));
      await Promise.all([lanes.stop(), tickets.stop()]);
    },
  };
}

/** Notifies staff of each complaint once, and again only if it went away and returned. */
async function report(ctx: Ctx, complaints: Complaint[]): Promise<void> {
  for (const { code } of complaints) ctx.log.warn("the bot can't do all of its work", { code });
  await reportEach(
    ctx,
    "discord",
    complaints.map(({ sentence }) => sentence),
  );
}

/** Reports a single member whose role Discord doesn't let the bot change. */
const reportMember = (ctx: Ctx, refused: [userId: string, code: string] | undefined): Promise<void> =>
  reportEach(
    ctx,
    "discord member",
    refused
      ? [
          `Discord refuses to change the role of the member ${refused[0]} (${refused[1]}); the others are not affected.`,
        ]
      : [],
  );
