import { type Command, Option } from "commander";
import { typedId } from "@/core/database/context";
import { operator } from "@/core/base/actor";
import type { DeliveryState } from "@/domain/schema/webhooks";
import { deliveriesOf, type DeliveryView, deliveryWithBody } from "@/domain/webhooks/deliveries";
import { replay, replaySince, type Replayed } from "@/domain/webhooks/replay";
import { typedMoment, positiveNumber } from "../terminal/arguments";
import { byOperator, type OpenShop, print, withJson, withReason, withShop } from "../terminal/command-line";
import { progressBar } from "../terminal/progress";
import { counted, facts, stamp, table } from "../terminal/table";

/** Examples of ids. */
export const exampleEndpoint = "ep_0197f3a0-0000-7000-8000-000000000000";
export const exampleDelivery = "dlv_0197f3a0-0000-7000-8000-000000000000";

/** `shop webhooks deliveries` and `replay` */
export function addDeliveryCommands(noun: Command): void {
  withJson(noun.command("deliveries"), `webhooks deliveries ${exampleEndpoint} --state failed`)
    .argument("[endpoint]", "an endpoint's id; without it, of all", typedId)
    .addOption(
      new Option("--state <state>", "only these").choices(["waiting", "delivered", "failed", "cancelled"]),
    )
    .option("--limit <number>", "the most to show", positiveNumber, 50)
    .description("what was sent in the last 30 days, newest first, and how it went")
    .action(deliveries);
  withReason(
    noun.command("replay").argument("[id]", "an event's or a delivery's id", typedId),
    `webhooks replay ${exampleDelivery} --reason "their database was restored"`,
    `webhooks replay --since 2026-01-31T12:00 --endpoint ${exampleEndpoint} --reason "it was away"`,
  )
    .option(
      "--since <when>",
      "every event since then, a date or time in UTC like 2026-01-31T12:00",
      typedMoment,
    )
    .option("--endpoint <id>", "only to this endpoint", typedId)
    .description(
      "send again, with the same ids and bodies: a delivery to its endpoint, events to every endpoint that listens to them",
    )
    .action(replayDeliveries);
}

type ListOptions = { state?: DeliveryState; limit: number; json?: boolean };

async function deliveries(endpoint: string | undefined, { state, limit, json }: ListOptions): Promise<void> {
  await withShop(async ({ ctx }) => {
    const found: DeliveryView[] = [];
    for (let before: string | null | undefined; before !== null && found.length < limit;) {
      const most = Math.min(limit - found.length, 100);
      const page = await deliveriesOf(ctx, { endpoint, state, before, most }, operator);
      found.push(...page.rows);
      before = page.next;
    }
    const rows = found.map((one) => [
      one.id,
      one.type,
      ...(endpoint === undefined ? [one.endpointId] : []),
      stamp(one.createdAt),
      one.state,
      one.attempts,
      deliveryOutcome(one),
      one.state === "waiting" ? stamp(one.dueAt) : null,
      one.eventId,
    ]);
    const where = endpoint === undefined ? ["endpoint"] : [];
    const headings = ["id", "event", ...where, "since", "state", "tries", "outcome", "next try", "event id"];
    print(json, found, rows.length > 0 ? table(headings, rows) : "Nothing matches.");
  });
}

type ReplayOptions = { since?: Date; endpoint?: string; reason: string; json?: boolean };

async function replayDeliveries(
  id: string | undefined,
  options: ReplayOptions,
  command: Command,
): Promise<void> {
  const { since, endpoint, reason, json } = options;
  if ((id === undefined) === (since === undefined)) command.error("error: give an id, or --since");
  if (id?.startsWith("dlv_") && endpoint !== undefined)
    command.error("error: --endpoint goes with --since or an event; a delivery has its own");
  await withShop(async ({ ctx }) => {
    const bar = progressBar("events", json);
    const by = byOperator(reason);
    const done =
      since === undefined
        ? await replay(ctx, { id: id ?? "", endpoint }, by)
        : await replaySince(ctx, { since, endpoint, progress: (events) => bar.at(events) }, by);
    bar.end();
    print(json, done, replayInWords(done));
  });
}

function replayInWords({ events, deliveries: sent, alreadyWaiting, disabled }: Replayed): string {
  const deliveriesSent = `${counted(sent, "delivery", "deliveries")} of ${counted(events, "event")}`;
  const waiting = alreadyWaiting > 0 ? ` ${alreadyWaiting} were waiting already, and are sent now.` : "";
  const out = disabled.length > 0 ? ` Left out, because disabled: ${disabled.join(", ")}.` : "";
  return `The running shop sends ${deliveriesSent}.${waiting}${out}`;
}

export async function showDelivery({ ctx }: OpenShop, id: string, json: boolean | undefined): Promise<void> {
  const delivery = await deliveryWithBody(ctx, id, operator);
  const rows = [
    ["id", id],
    ["event", `${delivery.eventId} (${delivery.type})`],
    ["endpoint", delivery.endpointId],
    ["state", delivery.state],
    ["tries", delivery.attempts],
    ["created", stamp(delivery.createdAt)],
    ["last try", stamp(delivery.triedAt)],
    ["next try", delivery.state === "waiting" ? stamp(delivery.dueAt) : null],
    ["outcome", deliveryOutcome(delivery)],
    ["body", delivery.body],
    ["answer", delivery.answer],
  ];
  print(json, delivery, facts(rows));
}

function deliveryOutcome({ status, failure, milliseconds }: DeliveryView): string | null {
  const what = [status, failure === "status" ? null : failure].filter((one) => one !== null).join(" ");
  return what === "" ? null : `${what}${milliseconds === null ? "" : ` in ${milliseconds} ms`}`;
}
