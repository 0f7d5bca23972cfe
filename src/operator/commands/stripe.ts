import { Command } from "commander";
import { makeEndpoint } from "@/domain/payments/reconcile/stripe-endpoints";
import { hasSubscriptions } from "@/domain/payments/subscriptions/due-checks";
import { byOperator, type OpenShop, print, withJson, withShop } from "../terminal/command-line";
import { cannotRead, stripeWebhookUrl } from "../terminal/stripe-errors";
import { table } from "../terminal/table";

type Options = { new?: boolean; reason?: string; json?: boolean };

/** `shop stripe …` */
export function stripeCommand(): Command {
  const noun = new Command("stripe").description("the shop's account at Stripe");
  withJson(noun.command("endpoint"), 'stripe endpoint --new --reason "the one before has an old version"')
    .description("the webhook endpoints that send to this shop")
    .option(
      "--new",
      "make one, of the shop's API version, and print its secret, once; all secrets are accepted",
    )
    .option("--reason <why>", "with --new: the reason, kept in the audit log")
    .action(({ new: isNew = false, reason = "", json }: Options, command: Command) => {
      if (!isNew) return withShop((shop) => show(shop, json));
      if (reason.trim() === "") command.error("error: --new goes with --reason");
      return withShop((shop) => make(shop, { reason: reason.trim(), json }));
    });
  return noun;
}

async function show({ ctx, config, checkout }: OpenShop, json: boolean | undefined): Promise<void> {
  const url = stripeWebhookUrl(config);
  const watching = { subscriptions: await hasSubscriptions(ctx) };
  const all = await (await checkout()).webhookEndpoints(url, watching);
  if (all === "unread") return print(json, null, cannotRead(url));
  const rows = all.map(({ id, enabled, lacks, version }) => [
    id,
    enabled ? "enabled" : "disabled",
    version ?? "the account's",
    lacks.join(", "),
  ]);
  const none = `Stripe has no endpoint with the address ${url}.`;
  print(json, all, rows.length === 0 ? none : table(["id", "state", "version", "lacks"], rows));
}

async function make(
  { ctx, config, checkout }: OpenShop,
  { reason, json }: { reason: string; json: boolean | undefined },
): Promise<void> {
  const url = stripeWebhookUrl(config);
  const gateway = await checkout();
  const before = await gateway.webhookEndpoints(url, { subscriptions: await hasSubscriptions(ctx) });
  const { id, secret } = await makeEndpoint(ctx, gateway, url, byOperator(reason));
  const next =
    before.length === 0
      ? "Set STRIPE_WEBHOOK_SECRET to it, and restart the shop."
      : "The shop accepts it beside the one before. Set STRIPE_WEBHOOK_SECRET to it, restart the shop, and remove the endpoint before in Stripe's dashboard.";
  const words = `Stripe's endpoint ${id} sends to ${url} from now on. Its secret, which is not shown again:\n${secret}\n${next}`;
  print(json, { endpoint: id, secret, url }, words);
}
