import { test } from "bun:test";

/** `test` where these programs are on the PATH; elsewhere it is skipped, and its name says what it needs. */
export function testNeeding(...programs: string[]) {
  const missing = programs.filter((program) => !Bun.which(program)).join(", ");
  return (name: string, run: () => Promise<void>) =>
    test.skipIf(missing !== "")(missing ? `${name} (needs ${missing})` : name, run);
}
