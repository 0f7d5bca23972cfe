/** Runs one of the machine's programs without input; `said` is all that it printed. */
export async function program(...command: string[]): Promise<{ code: number; said: string }> {
  try {
    const child = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
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
