import { createSite } from "@/serving/site";
import { sharedSite } from "./shared-site";

/** The shop's pages with no shop behind them: the API only ever says that nobody is signed in. */
export async function openSignedOutSite() {
  const site = await createSite({
    publicUrl: new URL("http://localhost"),
    cacheDir: sharedSite,
  });
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    routes: { "/api/*": () => Response.json({ status: 401, data: "Sign in first" }, { status: 401 }) },
    fetch: site,
  });
  return { url: server.url, close: () => server.stop(true) };
}
