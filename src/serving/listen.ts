import { type Config, ConfigError } from "@/core/settings/config";

/** How long a connection may be silent. */
const idleSeconds = 30;
/**
 * The same while much is sent, and Bun's most. The buffers of both ends hold megabytes, and a socket can be written to
 * again once a third of its own is free: a reader behind a proxy that takes 30 KB a second is silent for a minute.
 */
const stallSeconds = 255;

type Answer = (request: Request, server: Bun.Server<undefined>) => Response | Promise<Response>;
type Options = {
  fetch: Answer;
  development: false | { hmr: boolean; console: boolean };
  routes?: Record<string, Bun.HTMLBundle | Answer>;
};

/** Begins to answer at the shop's port. Throws a {@link ConfigError} if another program has it. */
export function listen({ host, port }: Pick<Config, "host" | "port">, options: Options) {
  try {
    return Bun.serve({
      hostname: host,
      port,
      // otherwise Bun would share the port with another shop, and each would get half of the customers
      reusePort: false,
      // goes for files, whatever their request was given; a connection without a request has ten seconds
      idleTimeout: stallSeconds,
      // a reserve: routes refuse by Content-Length long before this; Bun's own refusal has no body
      maxRequestBodySize: 64 * 1024 * 1024,
      ...options,
    });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") {
      throw new ConfigError(`Another program listens on port ${port} of ${host} (PORT, HOST).`);
    }
    throw error;
  }
}

/** What comes with a request, whose connection may be silent for no longer than any other until it is told otherwise. */
export function connectionOf(request: Request, server: Bun.Server<undefined>) {
  server.timeout(request, idleSeconds);
  return {
    peer: server.requestIP(request)?.address ?? "unknown",
    sendsMuch: () => server.timeout(request, stallSeconds),
  };
}
