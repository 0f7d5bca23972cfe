import { environmentHere } from "@/core/settings/environment";

export const systemPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** A program's path, also where root's PATH lacks its folder, as after `su`; its name alone if there is none. */
export const placeOf = (name: string): string =>
  Bun.which(name, { PATH: `${environmentHere()["PATH"] ?? ""}:${systemPath}` }) ?? name;

/** Runs one of the machine's programs without input; `said` is all that it printed. */
export async function program(name: string, ...rest: string[]): Promise<{ code: number; said: string }> {
  try {
    const child = Bun.spawn([placeOf(name), ...rest], { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
    const [out, err, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    return { code, said: `${out}${err}`.trim() };
  } catch (error) {
    return { code: 127, said: error instanceof Error ? error.message : String(error) };
  }
}
