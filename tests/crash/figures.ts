import type { Failpoint } from "@/core/log/failpoints";
import { emailsUnderWay } from "@/domain/mail/email";
import type { OrdersAudit } from "./audit-orders";
import type { Complaints } from "./retry";
import type { RolesAudit } from "./audit-roles";
import type { Fault } from "./faults";
import type { WebhooksAudit } from "./webhooks";

/** The result of a run. */
export type Figures = OrdersAudit & {
  roles: RolesAudit;
  webhooks: WebhooksAudit;
  seed: number;
  orders: number;
  kills: number;
  /** How often the shop died at each failpoint. */
  hits: Record<Failpoint, number>;
  lives: Record<Fault, number>;
  /** The most emails repeated after one death of the shop, and the most repeats of a single email. */
  repeatsAfterOneKill: { emails: number; timesEach: number };
  /** Answered with 200 but not on disk after the last death. */
  forgotten: string[];
  complaints: Complaints;
  /** Spawn to first answer, milliseconds: median and slowest. */
  restart: { median: number; slowest: number };
  seconds: number;
};

/** The figures as readable lines. */
export function report(figures: Figures): string {
  const { lost, misbilled, duplicated, receiptsLost, differing, forgotten, complaints, hits, restart } =
    figures;
  const unhit = Object.entries(hits).filter(([, count]) => count === 0);
  const { roles, webhooks, repeatsAfterOneKill: repeats } = figures;
  return [
    `seed ${figures.seed}: ${figures.orders} orders (${figures.paid} paid), ${figures.kills} kills, ${figures.seconds} s`,
    `orders lost ${lost.length}, misbilled ${misbilled.length}, duplicated ${duplicated.length}, receipts lost ${receiptsLost.length}, acknowledged and missing ${forgotten.length}`,
    `emails repeated ${figures.repeated.length} in ${figures.kills} kills, at most ${repeats.emails} after one, each at most ${times(repeats.timesEach)}; receipts differing ${differing.length}`,
    `roles wrong ${roles.wrong.length}: ${roles.members} members, ${roles.linked} connected, ${roles.inside} in the server, ${roles.held} hold the role`,
    `Discord got ${roles.asked.requests} requests: ${roles.asked.invalid} invalid, of which ${roles.asked.limited} for an exhausted bucket; ${roles.asked.identifies} identifies`,
    `webhooks lost ${webhooks.lost.length}, wrong ${webhooks.wrong.length}; ${webhooks.arrived} arrived, ${webhooks.repeated} more were repeats`,
    `restart to first answer: median ${restart.median} ms, slowest ${restart.slowest} ms`,
    `deaths at failpoints: ${Object.entries(hits)
      .map(([name, count]) => `${name} ${count}`)
      .join(", ")}`,
    `lives by fault: ${Object.entries(figures.lives)
      .map(([name, count]) => `${name} ${count}`)
      .join(", ")}`,
    ...(unhit.length > 0 ? [`never hit: ${unhit.map(([name]) => name).join(", ")}`] : []),
    ...[
      ...lost,
      ...misbilled,
      ...duplicated,
      ...receiptsLost,
      ...differing,
      ...forgotten,
      ...roles.wrong,
      ...webhooks.lost,
      ...webhooks.wrong,
    ].slice(0, 20),
    ...complaints.slice(0, 20),
  ].join("\n");
}

const times = (count: number) => (count === 1 ? "once" : `${count} times`);

/** Fifty an hour, the shop's own limit, however often it dies. */
const identifiesAllowed = (seconds: number) => 50 * (1 + Math.ceil(seconds / 3600));

/** Whether the shop kept its promises. */
export const isKept = (figures: Figures): boolean =>
  figures.paid > 0 &&
  figures.repeatsAfterOneKill.timesEach <= 1 &&
  figures.repeatsAfterOneKill.emails <= emailsUnderWay &&
  figures.roles.held > 0 &&
  figures.webhooks.arrived > 0 &&
  figures.roles.asked.identifies <= identifiesAllowed(figures.seconds) &&
  Object.values(figures.hits).every((count) => count > 0) &&
  [
    figures.lost,
    figures.misbilled,
    figures.duplicated,
    figures.receiptsLost,
    figures.differing,
    figures.forgotten,
    figures.complaints,
    figures.roles.wrong,
    figures.webhooks.lost,
    figures.webhooks.wrong,
  ].every((list) => list.length === 0);
