import { second } from "@/contract/vocabulary/time";
import { checkUrl, hostOf, isLoopback, type Allowed } from "@/domain/webhooks/endpoint-url";
import { isGloballyReachable } from "@/domain/webhooks/reachable-addresses";
import type { NotSent, SendResult, WebhookRequest, WebhookSender } from "@/domain/webhooks/sender";
import { exchange } from "./exchange";
import { lookUp, type LookUp, type Unresolved } from "@/core/base/look-up";

type Options = Allowed & {
  /** The time against which to read dates in `Retry-After`. */
  now?: () => Date;
  /** Called once per try. */
  lookUp?: LookUp;
  /** How long one try may take, from the look-up to the end of the answer. */
  milliseconds?: number;
};

/**
 * Sends webhooks over HTTPS, each try over its own connection, which is closed before the result.
 *
 * Looks the name up once, requires every address to be publicly reachable (IANA's registries), and connects only to
 * those addresses, with TLS by the name. Follows no redirect and uses no proxy. Reads up to 1 kB of an answer.
 */
export function createWebhookSender(options: Options = {}): WebhookSender {
  const use = {
    allowPrivate: false,
    isReachable: isGloballyReachable,
    now: () => new Date(),
    lookUp,
    milliseconds: 15 * second,
    ...options,
  };
  return { send: (request) => send(request, use) };
}

async function send(request: WebhookRequest, use: Required<Options>): Promise<SendResult> {
  const started = performance.now();
  const { over, clear } = overAfter(use.milliseconds, request.signal);
  try {
    const result = await tryOnce(request, use, over);
    return { ...result, milliseconds: Math.round(performance.now() - started) };
  } finally {
    clear();
  }
}

type Timeless<T> = T extends unknown ? Omit<T, "milliseconds"> : never;

async function tryOnce(
  request: WebhookRequest,
  use: Required<Options>,
  over: Promise<Over>,
): Promise<Timeless<SendResult>> {
  const checked = checkUrl(request.url, use);
  if (!checked.ok) return notSent(`url_${checked.problem}`, "");
  const found = await Promise.race([use.lookUp(hostOf(checked.url)), over]);
  if (!Array.isArray(found)) return resultOfUnresolved(found);
  const refused = found.find(({ address }) => !mayReach(use, address));
  if (refused) return notSent(use.allowPrivate ? "not_this_machine" : "inner_address", refused.address);
  return exchange({ url: checked.url, addresses: found, request, over, now: use.now });
}

const mayReach = ({ allowPrivate, isReachable }: Required<Options>, address: string): boolean =>
  allowPrivate === "loopback" ? isLoopback(address) : allowPrivate || isReachable(address);

function resultOfUnresolved(found: Unresolved | Over) {
  if (found === "stopped") return notSent("stopped", "");
  if (found === "timed_out") return notSent("name_unanswered", "timed out");
  return notSent(found.why, found.detail);
}

const notSent = (why: NotSent, detail: string) => ({ kind: "not_sent" as const, why, detail });

/** Why a try ended before its answer did. */
export type Over = "timed_out" | "stopped";

function overAfter(milliseconds: number, signal?: AbortSignal) {
  const { promise: over, resolve } = Promise.withResolvers<Over>();
  const timer = setTimeout(() => resolve("timed_out"), milliseconds);
  const stop = () => resolve("stopped");
  if (signal?.aborted) stop();
  signal?.addEventListener("abort", stop, { once: true });
  const clear = () => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  };
  return { over, clear };
}
