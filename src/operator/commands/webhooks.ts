import { Command } from "commander";
import { typedId } from "@/core/database/context";
import { operator } from "@/core/base/actor";
import { webhookOperations } from "@/domain/operations/webhooks";
import { endpointShown } from "@/domain/webhooks/deliveries";
import { listEndpoints, type EndpointView } from "@/domain/webhooks/endpoints";
import { type OpenShop, print, withJson, withShop } from "../terminal/command-line";
import { addOperation } from "../terminal/operation-command";
import { counted, facts, stamp, table } from "../terminal/table";
import { addDeliveryCommands, exampleDelivery, exampleEndpoint, showDelivery } from "./webhook-deliveries";

type ReadOptions = { json?: boolean };

/** `shop webhooks …` */
export function webhookCommand(): Command {
  const noun = new Command("webhooks").description("other systems that are sent what happens in the shop");
  addOperation(noun, webhookOperations.addWebhook, {
    description: "send events there from now on; prints the secret that signs them, once",
    examples: [
      'webhooks add https://example.com/hooks --events order.paid,license.ended --reason "the accounting"',
    ],
    fields: { url: "where to send events, https://…", events },
    output: ({ result: { endpoint, secret } }) => ({
      data: { ...endpoint, secret },
      sentence: `Added ${endpoint.id}: ${describeEndpoint(endpoint)}.\n${onceOnly(secret)}`,
    }),
  });
  withJson(noun.command("list"), "webhooks list")
    .description("every endpoint, and whether it works")
    .action(({ json }: ReadOptions) => withShop(({ ctx }) => list({ ctx }, json)));
  withJson(noun.command("show"), `webhooks show ${exampleEndpoint}`, `webhooks show ${exampleDelivery}`)
    .argument("<id>", "an endpoint's id, or a delivery's", typedId)
    .description("an endpoint and how its last deliveries went; or what a delivery sent and was answered")
    .action((id: string, { json }: ReadOptions) =>
      withShop((shop) => (id.startsWith("dlv_") ? showDelivery : showEndpoint)(shop, id, json)),
    );
  addOperation(noun, webhookOperations.changeWebhook, {
    description: "change where an endpoint is, or what it listens to; its secret stays",
    examples: [`webhooks change ${exampleEndpoint} --events all --reason "the new accounting"`],
    fields: { url: { flags: "--url <url>", about: "another address" }, events },
    output: ({ result: endpoint }) => ({
      data: endpoint,
      sentence: `Changed: ${describeEndpoint(endpoint)}.`,
    }),
  });
  addOperation(noun, webhookOperations.enableWebhook, {
    description: "send to a disabled endpoint again, from the next event on; replay sends what it missed",
    examples: [`webhooks enable ${exampleEndpoint} --reason "the receiver is back"`],
    output({ result: endpoint, subject: id }) {
      const missed = `shop webhooks replay --since TIME --endpoint ${id}`;
      return { data: endpoint, sentence: `Enabled: ${endpoint.url}. What it missed: ${missed}.` };
    },
  });
  addOperation(noun, webhookOperations.testWebhook, {
    description: "send webhook.test to an endpoint, whatever it listens to",
    examples: [`webhooks test ${exampleEndpoint} --reason "a new receiver"`],
    output: ({ subject: id }) =>
      `The running shop sends webhook.test within seconds. How it went: shop webhooks deliveries ${id}`,
  });
  addOperation(noun, webhookOperations.rotateWebhookSecret, {
    description: "give an endpoint a new secret, printed once; the former one signs beside it for 24 hours",
    examples: [`webhooks rotate ${exampleEndpoint} --reason "once a year"`],
    fields: { at_once: { flags: "--now", about: "the former secret signs no longer, because it leaked" } },
    output: ({ result: { endpoint, secret, ended } }) => ({
      data: { ...endpoint, secret, ended },
      sentence: `${onceOnly(secret)}\n${formerSecret(endpoint.formerSecretUntil, ended)}`,
    }),
  });
  addOperation(noun, webhookOperations.removeWebhook, {
    description: "remove an endpoint and its deliveries",
    examples: [`webhooks remove ${exampleEndpoint} --reason "no longer used"`],
    output: () => "The endpoint is removed.",
  });
  addDeliveryCommands(noun);
  return noun;
}

const events = {
  flags: "--events <types>",
  about: "the types to listen to (docs/webhooks.md lists them), with commas; or all, including later ones",
  read: (typed: string) => (typed.trim() === "all" ? null : typed.split(",").map((type) => type.trim())),
};

const onceOnly = (secret: string) => `Its secret, which is not shown again: ${secret}`;

const describeEndpoint = ({ url, types }: EndpointView) =>
  `${url} hears of ${types?.join(", ") ?? "everything"}`;

function formerSecret(until: Date | null, ended: Date | null): string {
  const former = until
    ? `The former one signs as well until ${stamp(until)}.`
    : "The former one signs no longer.";
  const before = ended
    ? `\nThe one before that, which would have signed until ${stamp(ended)}, signs no longer.`
    : "";
  return `${former}${before}`;
}

async function list({ ctx }: Pick<OpenShop, "ctx">, json: boolean | undefined): Promise<void> {
  const all = await listEndpoints(ctx, operator);
  const rows = all.map((endpoint) => [
    endpoint.id,
    endpoint.url,
    endpoint.types?.join(", ") ?? "all",
    stamp(endpoint.createdAt),
    endpointState(endpoint),
  ]);
  const none = "There is no endpoint. shop webhooks add URL adds one.";
  print(json, all, rows.length > 0 ? table(["id", "URL", "events", "since", "state"], rows) : none);
}

function endpointState({ disabledAt, disabledWhy, failingSince }: EndpointView): string {
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
    ["state", endpointState(endpoint)],
    ["former secret until", stamp(formerSecretUntil)],
    ["waiting", waiting === mostWaitingCounted ? `${waiting} or more` : waiting],
    [`last ${counted(of, "delivery", "deliveries")}`, last],
  ];
  print(json, endpoint, facts(rows));
}
