import { operator } from "@/core/base/actor";
import { type EndpointView, listEndpoints } from "@/domain/webhooks/endpoints";
import type { Finding } from "@/domain/system/system";
import type { OpenShop } from "../terminal/command-line";
import { stamp } from "../terminal/table";
import { warning, well } from "./finding";

/** Whether the receivers of webhooks take them. Silent if there is none. */
export async function webhookEndpoints({ ctx }: OpenShop): Promise<Finding[]> {
  const all = await listEndpoints(ctx, operator);
  const bad = all.filter(({ disabledAt, failingSince }) => disabledAt ?? failingSince);
  if (bad.length > 0) return bad.map((endpoint) => warning(what, sentenceOf(endpoint)));
  return all.length > 0 ? [well(what, "Every endpoint takes what is sent.")] : [];
}

const what = "webhooks out";

function sentenceOf({ id, url, disabledAt, disabledWhy, failingSince }: EndpointView): string {
  const { host } = new URL(url);
  if (disabledAt) {
    return `${host} is disabled since ${stamp(disabledAt)}: ${disabledWhy}. When it works again, run shop webhooks enable ${id}.`;
  }
  return `${host} has taken nothing since ${stamp(failingSince)}: run shop webhooks show ${id}. It is disabled after three days.`;
}
