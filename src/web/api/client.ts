import { hc } from "hono/client";
import type { Api } from "@/api/app";
import type { RefusalCode } from "@/contract/refusals";
import { texts } from "@/contract/texts";

/** Every call of the shop, typed from its routes. Wrap a call in `ask`. */
export const { api } = hc<Api>("/");

type Envelope = {
  status: number;
  data: string;
  code: RefusalCode;
  field?: string | undefined;
  status_message?: string | undefined;
};

/** The server said no; the message is the sentence to show. */
export class Refused extends Error {
  readonly status: number;
  readonly code: RefusalCode | undefined;
  /** The field of the request that was wrong, when one was. */
  readonly field: string | undefined;
  /** The headline of a refusal, where it has one. */
  readonly title: string | undefined;
  /** From when on the server would listen again, in milliseconds, where it asked for patience. */
  readonly retryAt: number | undefined;

  constructor(status: number, said: Partial<Envelope>, retryAfterSeconds?: number) {
    super(said.data ?? texts.unknownError);
    this.status = status;
    this.code = said.code;
    this.field = said.field;
    this.title = said.status_message;
    this.retryAt = retryAfterSeconds ? Date.now() + retryAfterSeconds * 1_000 : undefined;
  }
}

/** Nobody answered: the network, or the shop, is away. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super(texts.networkFailure, { cause });
  }
}

type Answer = { ok: boolean; status: number; headers: Headers; json(): Promise<unknown> };
/** What the call answers when it succeeds. */
type Success<A extends Answer> = Awaited<ReturnType<Extract<A, { ok: true }>["json"]>>;

/**
 * The body of an answer that succeeded.
 * @throws {Refused} whatever the server refused, and answers that are not the shop's
 * @throws {Unreachable} no answer came
 */
export async function ask<A extends Answer>(sending: Promise<A>): Promise<Success<A>> {
  const answer = await sending.catch((cause: unknown) => {
    throw new Unreachable(cause);
  });
  // A proxy's page in place of the shop's answer has no body that we could read.
  const body = await answer.json().catch(() => null);
  if (!answer.ok || body === null) {
    throw new Refused(answer.status, body ?? {}, Number(answer.headers.get("retry-after")));
  }
  return body as Success<A>;
}

/** Whether the server asked for patience (429). */
export function isRateLimited(error: unknown): error is Refused {
  return error instanceof Refused && error.status === 429;
}
