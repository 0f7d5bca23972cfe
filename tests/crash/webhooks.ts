import { createClient } from "@libsql/client";
import { Webhook } from "standardwebhooks";
import { operateOn, type World } from "./processes";

type Arrived = { id: string; type: string; body: string; data: Record<string, unknown> };

export type WebhooksAudit = {
  /** Different webhooks that arrived. */
  arrived: number;
  /** How many came again although the receiver had taken them. */
  repeated: number;
  /** In the shop's books, but never arrived. */
  lost: string[];
  /** Arrived with a signature that does not hold, with another body than before, twice under two ids, or untrue. */
  wrong: string[];
};

/**
 * Adds an endpoint to a shop that is not running, and receives its webhooks. Each tenth webhook gets no success at its
 * first try. `audit` compares what arrived with the books, once the shop is idle or stopped.
 */
export async function receiveWebhooks(
  world: World,
  operate = (...args: string[]) => operateOn(world, ...args),
) {
  const arrived: Arrived[] = [];
  const wrong: string[] = [];
  const bodies = new Map<string, string>();
  let secret = "";
  let refused = 0;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const body = await request.text();
      const id = request.headers.get("webhook-id") ?? "";
      try {
        const { type, data } = new Webhook(secret).verify(
          body,
          Object.fromEntries(request.headers),
        ) as Arrived;
        arrived.push({ id, type, body, data });
      } catch (error) {
        wrong.push(`${id}: ${String(error)}`);
      }
      const first = bodies.get(id);
      if (first !== undefined && first !== body)
        wrong.push(`${id} came with another body: ${body}, ${first}`);
      bodies.set(id, first ?? body);
      const isRefused = first === undefined && bodies.size % 10 === 0;
      if (isRefused) refused += 1;
      return new Response(null, { status: isRefused ? 500 : 204 });
    },
  });
  const url = `http://127.0.0.1:${server.port}/`;
  const added = await operate("webhooks", "add", url, "--reason", "a story", "--json");
  ({ secret } = JSON.parse(added) as { secret: string });
  return {
    audit: async (): Promise<WebhooksAudit> => ({
      arrived: bodies.size,
      repeated: arrived.length - bodies.size - refused,
      lost: await missing(world, arrived),
      wrong: [...wrong, ...twice(arrived), ...(await untrue(world, arrived))],
    }),
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

/** Webhooks that are waiting, and entries of the log that none were made of yet. */
export const webhooksWaiting = `(SELECT count(*) FROM webhook_deliveries WHERE state = 'waiting') + (
  SELECT count(*) FROM audit_log WHERE sequence > coalesce(
    (SELECT json_extract(value, '$.sequence') FROM installation WHERE name = 'webhooks.read'), 0)
    AND EXISTS (SELECT 1 FROM webhook_endpoints))`;

/** What the books say has happened, by the webhook that tells of it and its row: from the contract, not the code. */
const due = `
  SELECT 'license.issued' AS type, 'license' AS field, id FROM licences
  UNION ALL SELECT 'license.redeemed', 'license', id FROM licences WHERE redeemed_at IS NOT NULL
  UNION ALL SELECT 'account.created', 'account', id FROM accounts
  UNION ALL SELECT 'discord.linked', 'account', account_id FROM links
  UNION ALL SELECT 'order.paid', 'order', coalesce(intent_id, id) FROM payments WHERE sold_at IS NOT NULL
  UNION ALL SELECT 'order.refunded', 'order', coalesce(intent_id, id) FROM payments WHERE refunded_amount > 0
  UNION ALL SELECT 'order.disputed', 'order', coalesce(intent_id, id) FROM payments WHERE dispute_status IS NOT NULL
  UNION ALL SELECT 'order.dispute_closed', 'order', coalesce(intent_id, id) FROM payments
    WHERE dispute_status IN ('won', 'lost')
  UNION ALL SELECT 'license.ended', 'license', id FROM licences WHERE payment_standing IN ('refunded', 'revoked')
  UNION ALL SELECT 'license.changed', 'license', id FROM licences WHERE payment_standing = 'disputed'`;

async function missing(world: World, arrived: Arrived[]): Promise<string[]> {
  const delivered = new Set(
    arrived.flatMap(({ type, data }) => Object.values(data).map((id) => `${type} ${String(id)}`)),
  );
  const rows = await read<{ type: string; id: string }>(world, due);
  const lost = rows.map(({ type, id }) => `${type} ${id}`).filter((one) => !delivered.has(one));
  return [...lost, ...(await misstated(world, arrived))];
}

/** Orders of which the newest webhook tells another amount than the books have. */
async function misstated(world: World, arrived: Arrived[]): Promise<string[]> {
  const orders = arrived.filter(({ type }) => type.startsWith("order."));
  const newest = new Map(
    orders
      .toSorted((one, other) => sequenceOf(one) - sequenceOf(other))
      .map(({ data }) => [data["order"], data["refunded"]]),
  );
  const rows = await read<{ id: string; refunded: number }>(
    world,
    "SELECT coalesce(intent_id, id) AS id, refunded_amount AS refunded FROM payments WHERE sold_at IS NOT NULL",
  );
  return rows
    .filter(({ id, refunded }) => newest.get(id) !== refunded)
    .map(({ id }) => `the refund of ${id}`);
}

const sequenceOf = ({ data }: Arrived) => Number(data["sequence"]);

/** The same event under two ids. */
function twice(arrived: Arrived[]): string[] {
  const same = Map.groupBy(arrived, ({ type, data }) =>
    [type, data["sequence"], data["license"] ?? data["order"] ?? data["account"]].join(" "),
  );
  return [...same]
    .filter(([, all]) => new Set(all.map(({ id }) => id)).size > 1)
    .map(([event]) => `two ids: ${event}`);
}

/** What arrived without an entry in the log. */
async function untrue(world: World, arrived: Arrived[]): Promise<string[]> {
  const rows = await read<{ sequence: number }>(
    world,
    "SELECT sequence FROM audit_log WHERE sequence IS NOT NULL",
  );
  const logged = new Set(rows.map(({ sequence }) => sequence));
  return arrived.filter((one) => !logged.has(sequenceOf(one))).map(({ id }) => `${id} is not in the log`);
}

async function read<Row>({ databaseUrl }: World, sql: string): Promise<Row[]> {
  const client = createClient({ url: databaseUrl });
  const { rows } = await client.execute(sql);
  client.close();
  return rows as unknown as Row[];
}
