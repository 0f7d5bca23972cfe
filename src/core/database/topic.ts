import { z } from "zod";

/** The payload of jobs that need only their subject. */
export const noPayload = z.null();

/** What a job is about: declared once, enqueued by naming it, and handled in one place. */
export type Topic<S extends z.ZodType = z.ZodType> = {
  /** As stored in the outbox. Never changes, because releases run each other's jobs. */
  readonly name: string;
  /** The previous release's jobs may still be waiting, so a changed schema must accept their payloads. */
  readonly payload: S;
  /** Lanes run independently, so a server that hangs delays only its own lane. */
  readonly lane: string;
  /** A person waits for these jobs: they run up to an hour ahead of the rest of their lane. */
  readonly priority?: boolean;
};

/** The payload with which a job is enqueued. */
export type Payload<T extends Topic> = z.input<T["payload"]>;

/** A stored payload does not fit its topic. Only another release may be able to read it. */
export class InvalidPayload extends Error {
  override name = "InvalidPayload";
  constructor(readonly code: string) {
    super(`The payload does not fit its topic: ${code}.`);
  }
}

/** Parses the JSON stored for a topic; throws {@link InvalidPayload} naming the field that does not fit. */
export function parsePayload<S extends z.ZodType>({ payload }: Topic<S>, stored: string | null): z.output<S> {
  const parsed = payload.safeParse(stored === null ? null : parseJson(stored));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new InvalidPayload(`${issue?.path.join(".") || "payload"} ${issue?.code}`);
}

function parseJson(stored: string): unknown {
  try {
    return JSON.parse(stored);
  } catch {
    throw new InvalidPayload("no JSON");
  }
}
