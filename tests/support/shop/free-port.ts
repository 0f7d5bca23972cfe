import { createServer } from "node:net";

/**
 * Below the ports that systems give to outgoing connections and to servers that ask for any: nothing takes one of these
 * between the look and the use, except another test that happens to draw the same.
 */
const [lowest, highest] = [10_000, 32_000];

/** A port of this machine on which nothing listens. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest));
    if (await isFree(port)) return port;
  }
}

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
