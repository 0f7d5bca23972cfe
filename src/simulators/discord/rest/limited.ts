/** Discord's answer 429. `shared` is a limit that others used up: it doesn't count against the caller. */
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

/** What stands before Discord answers to an address that is shut out: no JSON, and no `Via`. */
export function shutOut(seconds: number) {
  return new Response("error code: 1015", {
    status: 429,
    headers: { "retry-after": String(Math.ceil(seconds)), "content-type": "text/plain; charset=UTF-8" },
  });
}
