import { hc } from "hono/client";
import type { Api } from "@/api/app";
import { shownAccountHeader } from "@/contract/vocabulary/account-rules";
import { callTexts } from "@/contract/vocabulary/call-texts";
import type { RefusalCode } from "@/contract/vocabulary/refusals";
import { fetchOrTake } from "../page/early";

/** The page that makes the calls. */
type CallingPage = {
  /** The id of the account that it shows. */
  shows: () => string | undefined;
  /** Asks who is signed in, and shows the page for them. */
  recheckSession: () => Promise<unknown>;
};
let page: CallingPage | undefined;

export const callFor = (calling: CallingPage) => void (page = calling);

/** `fetch` that names the account that the page shows; only the question who is signed in names none. */
export function send(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const headers = new Headers(init?.headers);
  const account = page?.shows();
  if (account && input !== "/api/user/me") headers.set(shownAccountHeader, account);
  return fetchOrTake(input, { ...init, headers });
}

/** Every call of the shop, typed from its routes. Wrap a call in `ask`. */
export const { api } = hc<Api>("/", { fetch: send });

type Envelope = {
  status: number;
  data: string;
  code: RefusalCode;
  field?: string | undefined;
  fields?: Record<string, string> | undefined;
  status_message?: string | undefined;
};

/** The server refused; the message is the sentence to show. */
export class Refused extends Error {
  readonly status: number;
  readonly code: RefusalCode | undefined;
  /** The invalid field, if the refusal is about one. */
  readonly field: string | undefined;
  /** Each invalid field's sentence, if there are several. */
  readonly fields: Readonly<Record<string, string>> | undefined;
  /** The refusal's headline, if it has one. */
  readonly title: string | undefined;
  /** When to try again, in milliseconds since the epoch, if the server rate-limited the call. */
  readonly retryAt: number | undefined;

  constructor(status: number, answer: Partial<Envelope>, retryAfterSeconds?: number) {
    super(answer.data ?? callTexts.unknownError);
    this.status = status;
    this.code = answer.code;
    this.field = answer.field;
    this.fields = answer.fields;
    this.title = answer.status_message;
    this.retryAt = retryAfterSeconds ? Date.now() + retryAfterSeconds * 1_000 : undefined;
  }
}

/** No answer: the network or the shop is down. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super(callTexts.networkFailure, { cause });
  }
}

type Answer = { ok: boolean; status: number; headers: Headers; json(): Promise<unknown> };
/** The body of a successful answer. */
type Success<A extends Answer> = Awaited<ReturnType<Extract<A, { ok: true }>["json"]>>;

/**
 * Resolves to the body of a successful answer; never, if the call was for an account that the page no longer shows.
 * @throws {Refused} the server refused, or something other than the shop answered
 * @throws {Unreachable} no answer came
 */
export async function ask<A extends Answer>(sending: Promise<A>): Promise<Success<A>> {
  const caller = page?.shows();
  const answer = await sending.catch((cause: unknown) => {
    throw new Unreachable(cause);
  });
  // a proxy's error page is not JSON
  const body = await answer.json().catch(() => null);
  if (!answer.ok || body === null) {
    const refused = new Refused(answer.status, body ?? {}, Number(answer.headers.get("retry-after")));
    if (refused.code === "other_account") {
      if (page?.shows() === caller) await page?.recheckSession().catch(() => {});
      // the page has turned to somebody else, and nothing of it waits for this answer
      if (page?.shows() !== caller) return new Promise<never>(() => {});
    }
    throw refused;
  }
  return body as Success<A>;
}

/** Whether the server rate-limited the call (429). */
export function isRateLimited(error: unknown): error is Refused {
  return error instanceof Refused && error.status === 429;
}
