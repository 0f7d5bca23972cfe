import type { z } from "@hono/zod-openapi";
import { envelope, refusalEnvelope } from "@/contract/wire/envelope";
import type { Ctx } from "@/core/database/context";
import type { Topic } from "@/core/database/topic";
import { wakeWorkers } from "@/core/database/wake";

/** The answer of a refused call, which every call in the description references. */
export const refused = {
  description: "Refused: `data` is the sentence to show, `code` a stable machine-readable code",
  content: { "application/json": { schema: refusalEnvelope.meta({ id: "Refusal" }) } },
};

type Security = Record<string, string[]>[];

/** In the description: a session is required. `signedInOnly` enforces it. */
export const needsSession: Security = [{ session: [] }];
/** Anyone may call; a session changes the answer. */
export const maybeSession: Security = [{ session: [] }, {}];
/** In the description: a session and the desk's cookie are required. `deskOnly` enforces both. */
export const needsDesk: Security = [{ desk: [], session: [] }];
/** In the description: the desktop application calls with the account's token. */
export const needsToken: Security = [{ token: [] }];
/** In the description: another system calls with its server key. */
export const needsServerKey: Security = [{ serverKey: [] }];

/** The answers of a call in the envelope. */
export const answers = <S extends z.ZodType>(description: string, data: S) => ({
  200: { description, content: { "application/json": { schema: envelope(data) } } },
  "4XX": refused,
  "5XX": refused,
});

/** The answers of a call outside the envelope. */
export const bareAnswers = <S extends z.ZodType>(description: string, schema: S) => ({
  200: { description, content: { "application/json": { schema } } },
  "4XX": refused,
  "5XX": refused,
});

/** The body that a call needs. */
export const jsonBody = <S extends z.ZodType>(schema: S) => ({
  body: { required: true, content: { "application/json": { schema } } },
});

/** `{status, data}` of a call that succeeded. */
export const ok = <T>(data: T) => ({ status: 200 as const, data });

/**
 * Wakes the workers a little after the answer has gone out, for emails that only some addresses get: sending at once
 * would reveal by the answer's time whether an address gets one. Their commits use `wakes: false`.
 */
export function wakeAfterAnswering({ ctx }: { ctx: Ctx }, topic: Topic): void {
  setTimeout(() => wakeWorkers(ctx.store, [topic]), 50 + Math.random() * 200);
}
