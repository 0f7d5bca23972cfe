import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { minute } from "@/contract/time";
import { type ShopProcess, startShopProcess, startWorld } from "./processes";

export type CrashStage = Awaited<ReturnType<typeof openCrashStage>>;

/**
 * The shop as a process that a test kills and restarts on the same data, while the simulators keep running.
 * Use it as `await using stage = await openCrashStage()`.
 */
export async function openCrashStage(options: { discord?: boolean } = {}) {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-crash-"));
  const world = await startWorld(folder, options);
  const started = new Set<ShopProcess>();
  const start = async (env?: Record<string, string>): Promise<ShopProcess> => {
    const shop = await startShopProcess(world, env);
    started.add(shop);
    void shop.child.exited.then(() => started.delete(shop));
    return shop;
  };
  return {
    folder,
    world,
    /** Starts the shop; resolves when it answers or has died. */
    start,
    /** Starts a shop that dies at a failpoint; `during` makes it get there. */
    async dieAt(failpoint: string, during: () => Promise<unknown>, env: Record<string, string> = {}) {
      const shop = await start({ ...env, FAILPOINT: failpoint });
      await during();
      await shop.child.exited;
      if (shop.child.signalCode !== "SIGKILL")
        throw new Error(`not killed at ${failpoint}: ${await shop.errors}`);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...started].map((shop) => shop.kill()));
      await world.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Polls until the condition holds: a restarted shop may first have to wait for a lease. The deadline is generous,
 * because a machine may be busy, and costs nothing when all is well.
 */
export async function waitUntil<T>(look: () => T | Promise<T>, right: (seen: T) => boolean): Promise<T> {
  const deadline = Date.now() + 5 * minute;
  for (;;) {
    const seen = await look();
    if (right(seen)) return seen;
    if (Date.now() > deadline) throw new Error(`gave up waiting; last seen: ${JSON.stringify(seen)}`);
    await Bun.sleep(25);
  }
}
