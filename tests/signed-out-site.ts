import { join } from "node:path";
import { createSite } from "@/serving/site";

export type SignedOutSite = Awaited<ReturnType<typeof openSignedOutSite>>;

/** The shop's pages with no shop behind them: of the API they hear only that nobody is signed in. */
export async function openSignedOutSite() {
  const site = await createSite({
    publicUrl: new URL("http://localhost"),
    cacheDir: join(import.meta.dir, "../.cache/site"),
  });
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    routes: { "/api/*": () => Response.json({ status: 401, data: "Sign in first" }, { status: 401 }) },
    fetch: site,
  });
  return { url: server.url, close: () => server.stop(true) };
}
