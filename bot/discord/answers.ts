import type { z } from "zod";
import { GuildUnavailable } from "@/domain/community/guild";

/** Discord's answer differs from its documentation. Names the call and the missing field, never the content. */
export class UnlikeDiscord extends GuildUnavailable {
  override name = "UnlikeDiscord";
  readonly code: string;
  constructor(call: string, what: string) {
    super(`${call}: ${what}`);
    this.code = this.message;
  }
}

/** Parses the part of Discord's answer that the bot needs. */
export function readAnswer<S extends z.ZodType>(schema: S, call: string, answer: unknown): z.output<S> {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  const path = parsed.error.issues[0]?.path.join(".");
  throw new UnlikeDiscord(call, path ? `no ${path}` : "no such answer");
}
