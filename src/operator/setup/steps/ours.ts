import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createSecrets, proofOf, type Secrets } from "@/core/secrets/secrets";
import { configSoFar, given, type Setup } from "./state";

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
  const secrets = createSecrets(knownSecret(setup) ?? randomBytes(secretBytes));
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

function knownSecret(setup: Setup): Uint8Array | null {
  const set = given(setup, "SECRET_KEY");
  const file = join(setup.dataDir, "secret.key");
  if (set === "" && !existsSync(file)) return null;
  return new Uint8Array(Buffer.from(set === "" ? readFileSync(file, "utf8") : set, "base64"));
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
