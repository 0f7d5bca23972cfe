import { randomBytes } from "node:crypto";
import { rootKeysOf } from "@/core/database/open-secrets";
import { createSecrets, proofOf, type Secrets } from "@/core/secrets/secrets";
import { hasSecret } from "./secrets";
import { configSoFar, type Setup } from "./state";

const path = "/api/ours";
/** How long the address has to answer. */
const patienceMilliseconds = 10_000;
const nonceBytes = 16;
const secretBytes = 32;

/**
 * Whether an address leads to this machine: `ours` answers with this shop's secret, `other` answers something else,
 * `none` doesn't answer. Set-up answers itself where the shop isn't running.
 */
export async function whoAnswers(setup: Setup, address: string): Promise<"ours" | "other" | "none"> {
  const { secretKey } = hasSecret(setup)
    ? await rootKeysOf(configSoFar(setup))
    : { secretKey: randomBytes(secretBytes) };
  const secrets = createSecrets(secretKey);
  const nonce = randomBytes(nonceBytes).toString("hex");
  const server = answering(setup, secrets);
  try {
    const url = new URL(`${path}?nonce=${nonce}`, address);
    const answer = await fetch(url, {
      redirect: "manual",
      signal: AbortSignal.timeout(patienceMilliseconds),
    });
    return (await answer.text()).includes(proofOf(secrets, nonce)) ? "ours" : "other";
  } catch {
    return "none";
  } finally {
    await server?.stop(true);
  }
}

/** Null if the port is taken, usually by the shop. */
function answering(setup: Setup, secrets: Secrets): Bun.Server<undefined> | null {
  const { host, port } = configSoFar(setup);
  try {
    return Bun.serve({
      hostname: host,
      port,
      reusePort: false,
      fetch(request) {
        const { pathname, searchParams } = new URL(request.url);
        const nonce = searchParams.get("nonce") ?? "";
        if (pathname !== path || !/^[0-9a-f]{32}$/.test(nonce)) return new Response(null, { status: 404 });
        return Response.json({ proof: proofOf(secrets, nonce) });
      },
    });
  } catch {
    return null;
  }
}
