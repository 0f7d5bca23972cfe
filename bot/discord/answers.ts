import type { z } from "zod";
import { GuildUnavailable } from "@/domain/community/guild";

/** Discord's answer is not what its documentation says. Names the call and what was missing, never what was said. */
export class UnlikeDiscord extends GuildUnavailable {
  override name = "UnlikeDiscord";
  readonly code: string;
  constructor(call: string, what: string) {
    super(`${call}: ${what}`);
    this.code = this.message;
  }
}

/** Discord's answer to a call, as far as the bot needs it. */
export function readAnswer<S extends z.ZodType>(schema: S, call: string, answer: unknown): z.output<S> {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  const path = parsed.error.issues[0]?.path.join(".");
  throw new UnlikeDiscord(call, path ? `no ${path}` : "no such answer");
}
