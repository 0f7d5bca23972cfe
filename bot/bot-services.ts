import type { REST } from "discord.js";
import type { Ctx } from "@/core/context";
import { hurry } from "@/core/outbox";
import type { ScheduledJob } from "@/core/scheduler";
import { noticeExpiries, surveyEveryone } from "@/domain/community/survey";
import type { Guild } from "@/domain/community/guild";
import { reconciliations } from "@/domain/community/reconcile";
import { reconcileTopic } from "@/domain/licences/member-changed";
import { clearReport, reportOnce } from "@/domain/notices/report-once";
import { registerCommands } from "./commands/register";
import { noticeBoard } from "./notice-board";
import { createCircuit } from "./server/circuit";
import { type Complaint, examine, unexplained } from "./server/server-checks";
import { createGuild } from "./server/guild";
import type { BotParts } from "./start";
import { startTicketDesk, type TicketDesk } from "./tickets/ticket-service";

const surveyEveryMilliseconds = 60 * 60_000;
/** A gateway that keeps breaking asks for a survey each time; they are not run closer than this. */
const surveyPauseMilliseconds = 60_000;
const expiryEveryMilliseconds = 15_000;
const circuitEveryMilliseconds = 5_000;

export type Duties = {
  rest: REST;
  guild: Guild;
  tickets: TicketDesk;
  /** Compares everybody with what should be, soon. */
  survey(): void;
  /** Connected anew: does what that makes necessary, and what failed before at once. */
  afresh(): void;
  /** Looks whether the bot can do its work. */
  examine(): Promise<Complaint[]>;
  stop(): Promise<void>;
};

/** What the process that runs the bot does besides listening: all of it over REST, gateway or not. */
export function startDuties(
  { ctx, config, checkout, files, publicUrl, metrics, worker, scheduler }: BotParts,
  rest: REST,
): Duties {
  const circuit = createCircuit(() => ctx.now().getTime(), {
    opened(code) {
      ctx.log.warn("Discord said no; it is not asked again until that was looked at", { code });
      void inspect(false).catch(() => {});
    },
    recovered: () => void Promise.all([tell(ctx, []), resume()]).catch(() => {}),
  });
  const stopping = new AbortController();
  const guild = createGuild({ rest, config, circuit, stop: stopping.signal });
  const tickets = startTicketDesk({ ctx, rest, config, publicUrl, files, scheduler });
  const handlers = {
    ...reconciliations(ctx, guild),
    ...tickets.work,
    ...noticeBoard(ctx, { rest, config, checkout, stop: stopping.signal }),
  };
  const lanes = worker.add(handlers, {
    longestSleepMilliseconds: 1_000,
    // most of them wait for one bucket while another has room
    atOnce: 32,
    // each is held in memory, up to 8 MiB
    singly: ["file"],
  });

  /** What waited for the circuit need not wait out the delays that it earned meanwhile. */
  const resume = async () => {
    await hurry(ctx, [reconcileTopic]);
    ctx.wake();
    survey.soon();
  };

  /** Finds out what is wrong, tells staff once, and lets work go on when nothing is. */
  const inspect = async (anew: boolean): Promise<Complaint[]> => {
    const complaints = await examine(rest, config, ctx.now());
    const grave = complaints.find((complaint) => complaint.grave);
    if (grave) circuit.found(grave.code);
    else if (circuit.foundNothing(anew)) await resume();
    const code = circuit.unexplained();
    if (code) complaints.push(unexplained(code));
    await tell(ctx, complaints);
    await tellOfOne(ctx, circuit.alone());
    return complaints;
  };

  const found = metrics.level(
    "latchkey_survey_differences",
    "Members whose premium role was not what it should be, when everybody was last looked at.",
  );
  const foundInAll = metrics.sum(
    "latchkey_survey_differences_total",
    "Members whose premium role was not what it should be, in all looks at everybody since the start.",
  );
  let expiriesSeen = ctx.now();
  const survey = scheduler.add({
    name: "survey",
    everyMilliseconds: surveyEveryMilliseconds,
    pauseMilliseconds: surveyPauseMilliseconds,
    async run() {
      if (circuit.isOpen()) return false;
      const { members, differences } = await surveyEveryone(ctx, guild);
      found(differences);
      foundInAll(differences);
      ctx.log.info("the server was compared with the licences", { count: members, attempts: differences });
      await hurry(ctx, [reconcileTopic]);
      ctx.wake();
      return true;
    },
  });
  // each by itself, so that one that fails keeps no other from being done
  const whenConnected: ScheduledJob[] = [
    survey,
    scheduler.add({ name: "examination", run: () => inspect(false) }),
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
      run: async () => void (circuit.isDue() && (await inspect(false))),
    }),
  ];

  return {
    rest,
    guild,
    tickets,
    survey: () => survey.soon(),
    afresh() {
      for (const duty of whenConnected) duty.afresh();
      tickets.afresh();
    },
    examine: () => inspect(true),
    async stop() {
      stopping.abort();
      await Promise.all(periodic.map((job) => job.stop()));
      await Promise.all([lanes.stop(), tickets.stop()]);
    },
  };
}

/** Staff hear of each complaint once, and again only after it was gone. */
async function tell(ctx: Ctx, complaints: Complaint[]): Promise<void> {
  const codes = complaints.map(({ code }) => code).join(" ");
  if (codes === "") return clearReport(ctx, "discord");
  for (const { code } of complaints) ctx.log.warn("the bot can't do all of its work", { code });
  const sentence = complaints.map(({ sentence }) => sentence).join(" ");
  await reportOnce(ctx, "discord", { kind: "trouble", sentence });
}

/** The same of a member whose role Discord alone doesn't let the bot change. */
async function tellOfOne(ctx: Ctx, refused: [userId: string, code: string] | undefined): Promise<void> {
  const about = "discord member";
  if (!refused) return clearReport(ctx, about);
  const [userId, code] = refused;
  const sentence = `Discord refuses to change the role of the member ${userId} (${code}); the others' roles are kept.`;
  await reportOnce(ctx, about, { kind: "trouble", sentence });
}
