import type { DiscordRefusal } from "../errors";

export function refusalResponse({ status, code, message, errors }: DiscordRefusal): Response {
  return Response.json({ message, code, ...(errors && { errors }) }, { status });
}

/** Discord's 429. Others used up a `shared` limit, which does not count against the caller. */
export function limited(
  scope: "user" | "global" | "shared",
  seconds: number,
  headers: Record<string, string> = {},
) {
  const body = {
    message: scope === "shared" ? "The resource is being rate limited." : "You are being rate limited.",
    retry_after: Number(seconds.toFixed(3)),
    global: scope === "global",
    ...(scope === "shared" && { code: 40062 }),
  };
  return Response.json(body, {
    status: 429,
    headers: {
      ...headers,
      "retry-after": String(Math.ceil(seconds)),
      "x-ratelimit-scope": scope,
      ...(scope === "global" && { "x-ratelimit-global": "true" }),
      via: "1.1 google",
    },
  });
}
