import { Webhook } from "standardwebhooks";
import type { WebhookType } from "@/contract/wire/webhooks";
import { newId } from "@/core/database/context";
import { webhookEndpoints } from "@/domain/schema/webhooks";
import { webhookSecretContext } from "@/domain/webhooks/sealing";
import { newSecret } from "@/domain/webhooks/signature";
import type { Stage } from "../shop/stage";

/** What arrived: verified with the published library, which throws otherwise. */
export type Arrived = {
  id: string;
  body: string;
  type: WebhookType;
  data: Record<string, unknown> & { sequence: number };
};

type Answer = Response | ((arrived: Arrived, request: Request) => Response | Promise<Response>);

/** An endpoint of the shop and its receiver, which answers as the last `answers` says; 204 at first. */
export async function startEndpoint(stage: Stage, types: WebhookType[] | null = null) {
  const arrived: Arrived[] = [];
  let answers: Answer = () => new Response(null, { status: 204 });
  const secret = newSecret();
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const body = await request.text();
      // the shop's clock may be ahead: the library compares with this machine's
      const signed = Object.fromEntries(request.headers);
      const { type, data } = new LateWebhook(secret).verify(body, signed) as Pick<Arrived, "type" | "data">;
      const one = { id: request.headers.get("webhook-id") ?? "", body, type, data };
      arrived.push(one);
      return answers instanceof Response ? answers.clone() : answers(one, request);
    },
  });
  const id = `ep_${newId()}`;
  await stage.ctx.store.db.insert(webhookEndpoints).values({
    id,
    url: `http://127.0.0.1:${server.port}/hook`,
    types,
    secretSealed: stage.ctx.secrets.seal(secret, webhookSecretContext(id)),
    createdAt: stage.ctx.now(),
  });
  return {
    id,
    arrived,
    types: () => arrived.map(({ type }) => type),
    answer(as: Answer) {
      answers = as;
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

/** The published library, for a clock that a story has moved: it signs what arrived itself and compares. */
class LateWebhook extends Webhook {
  override verify(body: string, headers: Record<string, string>): unknown {
    const {
      "webhook-id": id = "",
      "webhook-timestamp": at = "",
      "webhook-signature": signatures = "",
    } = headers;
    const expected = this.sign(id, new Date(Number(at) * 1000), body);
    if (!signatures.split(" ").includes(expected)) throw new Error("the signature does not match");
    return JSON.parse(body);
  }
}

/** Reads the log and sends due deliveries until none is left. */
export async function deliverAll({ shop }: Stage): Promise<void> {
  await shop.webhooksOut?.run();
  await shop.webhooksOut?.idle();
}
