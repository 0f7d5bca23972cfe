import { forThisMachine } from "../base/host";
import { authenticatorApp } from "./app";
import { type Entry, openEntries } from "./entries";

export type AuthenticatorSimulatorOptions = {
  /** Default 0: any free port. */
  port?: number | undefined;
  now?: () => Date;
};

/** An authenticator app (RFC 6238) on a page of this machine. It forgets its secrets when it stops. */
export function startAuthenticatorSimulator(options: AuthenticatorSimulatorOptions = {}) {
  const { port = 0, now = () => new Date() } = options;
  const entries = openEntries(now);
  const app = authenticatorApp(entries);
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port,
    development: false,
    fetch: forThisMachine((request) => app.fetch(request)),
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    /** Shows these secrets' codes instead of earlier ones'. */
    show: (shown: Entry[]) => entries.show(shown),
    stop: () => server.stop(true),
  };
}
