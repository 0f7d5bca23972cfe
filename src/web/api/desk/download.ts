import { expectConfirmed } from "./call";

/**
 * Makes the browser download a file that needs a fresh code, and asks for the code first: a download can't ask midway.
 * @throws {NotConfirmed} if no code was typed
 */
export async function downloadConfirmed(path: string, confirmedUntil: string): Promise<void> {
  if (!isUsable(confirmedUntil)) await expectConfirmed();
  const link = document.createElement("a");
  link.href = path;
  link.download = "";
  link.click();
}

/** A session that is about to end counts as ended. */
const isUsable = (until: string) => Date.parse(until) > Date.now() + 10_000;
