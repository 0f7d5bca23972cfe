import { Argument, Command, Option } from "commander";
import { typedId } from "@/core/database/context";
import { operator } from "@/core/base/actor";
import { addEndpoint, changeEndpoint, removeEndpoint } from "@/domain/webhooks/change-endpoint";
import { endpointShown } from "@/domain/webhooks/deliveries";
import { enableEndpoint } from "@/domain/webhooks/enable-endpoint";
import { endpoints, type EndpointView } from "@/domain/webhooks/endpoints";
import { rotateSecret } from "@/domain/webhooks/rotate-secret";
import { testEndpoint } from "@/domain/webhooks/send-test";
import {
  byOperator,
  example,
  type OpenShop,
  print,
  withJson,
  withReason,
  withShop,
} from "../terminal/command-line";
import { counted, facts, stamp, table } from "../terminal/table";
import { addDeliveryCommands, aDelivery, anEndpoint, showDelivery } from "./webhook-deliveries";

type Changing = { reason: string; json?: boolean };
type Reading = { json?: boolean };

const endpointArgument = () => new Argument("<endpoint>", "its id in the list").argParser(typedId);

/** `shop webhooks …` */
export function webhookCommand(): Command {
  const noun = new Command("webhooks").description("other systems that are sent what happens in the shop");
  withReason(noun.command("add").argument("<url>", "where to send events, https://…"))
    .addOption(eventsOption())
    .description("send events there from now on; prints the secret that signs them, once")
    .addHelpText(
      "after",
      example(
        'webhooks add https://example.com/hooks --events order.paid,license.ended --reason "the accounting"',
      ),
    )
    .action(add);
  withJson(noun.command("list"))
    .description("every endpoint, and whether it works")
    .addHelpText("after", example("webhooks list"))
    .action(({ json }: Reading) => withShop(({ ctx }) => list({ ctx }, json)));
  withJson(noun.command("show").argument("<id>", "an endpoint's id, or a delivery's", typedId))
    .description("an endpoint and how its last deliveries went; or what a delivery sent and was answered")
    .addHelpText("after", example(`webhooks show ${anEndpoint}`, `webhooks show ${aDelivery}`))
    .action((id: string, { json }: Reading) =>
      withShop((shop) => (id.startsWith("dlv_") ? showDelivery : showEndpoint)(shop, id, json)),
    );
  withReason(noun.command("change").addArgument(endpointArgument()))
    .option("--url <url>", "another address")
    .addOption(eventsOption())
    .description("change where an endpoint is, or what it listens to; its secret stays")
    .addHelpText("after", example(`webhooks change ${anEndpoint} --events all --reason "the new accounting"`))
    .action(change);
  withReason(noun.command("enable").addArgument(endpointArgument()))
    .description("send to a disabled endpoint again, from the next event on; replay sends what it missed")
    .addHelpText("after", example(`webhooks enable ${anEndpoint} --reason "the receiver is back"`))
    .action((id: string, { reason, json }: Changing) =>
      withShop(async ({ ctx }) => {
        const endpoint = await enableEndpoint(ctx, id, byOperator(reason));
        const missed = `shop webhooks replay --since TIME --endpoint ${id}`;
        print(json, endpoint, `Enabled: ${endpoint.url}. What it missed: ${missed}.`);
      }),
    );
  withReason(noun.command("test").addArgument(endpointArgument()))
    .description("send webhook.test to an endpoint, whatever it listens to")
    .addHelpText("after", example(`webhooks test ${anEndpoint} --reason "a new receiver"`))
    .action((id: string, { reason, json }: Changing) =>
      withShop(async ({ ctx }) => {
        await testEndpoint(ctx, id, byOperator(reason));
        print(
          json,
          { id },
          `The running shop sends webhook.test within seconds. How it went: shop webhooks deliveries ${id}`,
        );
      }),
    );
  withReason(noun.command("rotate").addArgument(endpointArgument()))
    .option("--now", "the former secret signs no longer, because it leaked")
    .description("give an endpoint a new secret, printed once; the former one signs beside it for 24 hours")
    .addHelpText("after", example(`webhooks rotate ${anEndpoint} --reason "once a year"`))
    .action(rotate);
  withReason(noun.command("remove").addArgument(endpointArgument()))
    .description("send nothing to an endpoint any more, and forget its deliveries")
    .addHelpText("after", example(`webhooks remove ${anEndpoint} --reason "no longer used"`))
    .action((id: string, { reason, json }: Changing) =>
      withShop(async ({ ctx }) => {
        await removeEndpoint(ctx, id, byOperator(reason));
        print(json, { id }, "The endpoint is removed.");
      }),
    );
  addDeliveryCommands(noun);
  return noun;
}

const eventsOption = () =>
  new Option(
    "--events <types>",
    "the types to listen to (docs/webhooks.md lists them), with commas; or all, also later ones",
  );

const typesIn = (events: string) =>
  events.trim() === "all" ? null : events.split(",").map((type) => type.trim());

async function add(url: string, { events = "all", reason, json }: Changing & { events?: string }) {
  await withShop(async ({ ctx, config }) => {
    const wanted = { url, types: typesIn(events), allowPrivate: config.webhooksAllowPrivate };
    const { endpoint, secret } = await addEndpoint(ctx, wanted, byOperator(reason));
    print(json, { ...endpoint, secret }, `Added ${endpoint.id}: ${inWords(endpoint)}.\n${onceOnly(secret)}`);
  });
}

const onceOnly = (secret: string) => `Its secret, which is not shown again: ${secret}`;

const inWords = ({ url, types }: EndpointView) => `${url} hears of ${types?.join(", ") ?? "everything"}`;

type Changed = Changing & { url?: string; events?: string };

async function change(id: string, { url, events, reason, json }: Changed, command: Command): Promise<void> {
  if (url === undefined && events === undefined) command.error("error: give --url or --events");
  const wanted = {
    ...(url === undefined ? {} : { url }),
    ...(events === undefined ? {} : { types: typesIn(events) }),
  };
  await withShop(async ({ ctx, config }) => {
    const { webhooksAllowPrivate: allowPrivate } = config;
    const endpoint = await changeEndpoint(ctx, { id, ...wanted, allowPrivate }, byOperator(reason));
    print(json, endpoint, `Changed: ${inWords(endpoint)}.`);
  });
}

async function rotate(id: string, { now = false, reason, json }: Changing & { now?: boolean }) {
  await withShop(async ({ ctx }) => {
    const { endpoint, secret, ended } = await rotateSecret(ctx, { id, atOnce: now }, byOperator(reason));
    const until = endpoint.formerSecretUntil;
    const former = until
      ? `The former one signs as well until ${stamp(until)}.`
      : "The former one signs no longer.";
    const before = ended
      ? `\nThe one before that, which would have signed until ${stamp(ended)}, signs no longer.`
      : "";
    print(json, { ...endpoint, secret, ended }, `${onceOnly(secret)}\n${former}${before}`);
  });
}

async function list({ ctx }: Pick<OpenShop, "ctx">, json: boolean | undefined): Promise<void> {
  const all = await endpoints(ctx, operator);
  const rows = all.map((endpoint) => [
    endpoint.id,
    endpoint.url,
    endpoint.types?.join(", ") ?? "all",
    stamp(endpoint.createdAt),
    stateOf(endpoint),
  ]);
  const none = "There is no endpoint. shop webhooks add URL adds one.";
  print(json, all, rows.length > 0 ? table(["id", "URL", "events", "since", "state"], rows) : none);
}

function stateOf({ disabledAt, disabledWhy, failingSince }: EndpointView): string {
  if (disabledAt) return `disabled ${stamp(disabledAt)}: ${disabledWhy}`;
  return failingSince ? `failing since ${stamp(failingSince)}` : "enabled";
}

async function showEndpoint({ ctx }: OpenShop, id: string, json: boolean | undefined): Promise<void> {
  const endpoint = await endpointShown(ctx, id, operator);
  const { recent, waiting, mostWaitingCounted, formerSecretUntil } = endpoint;
  const { counted: of, delivered, failed, cancelled } = recent;
  const last = `${delivered} delivered, ${recent.waiting} waiting, ${failed} failed, ${cancelled} cancelled`;
  const rows = [
    ["id", endpoint.id],
    ["URL", endpoint.url],
    ["events", endpoint.types?.join(", ") ?? "all"],
    ["since", stamp(endpoint.createdAt)],
    ["state", stateOf(endpoint)],
    ["former secret until", stamp(formerSecretUntil)],
    ["waiting", waiting === mostWaitingCounted ? `${waiting} or more` : waiting],
    [`last ${counted(of, "delivery", "deliveries")}`, last],
  ];
  print(json, endpoint, facts(rows));
}
