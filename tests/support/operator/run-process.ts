export const root = new URL("../../..", import.meta.url).pathname;

export type Ended = { out: string; err: string; code: number };

/** Runs a program, by default without input, to its end, by default in the repository's folder and with this process's environment. */
export async function runProcess(
  command: string[],
  {
    cwd = root,
    env = process.env,
    input,
  }: { cwd?: string; env?: Record<string, string | undefined>; input?: string } = {},
): Promise<Ended> {
  const stdin = input === undefined ? "ignore" : new Blob([input]);
  const child = Bun.spawn(command, { cwd, env, stdin, stdout: "pipe", stderr: "pipe" });
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { out, err, code };
}
