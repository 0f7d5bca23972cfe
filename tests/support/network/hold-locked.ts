/** A program that holds a shop's database locked until it is killed. */
export async function holdLocked(file: string) {
  const program = `
    const { createClient } = await import("@libsql/client");
    const client = createClient({ url: "file:" + process.argv.at(-1), concurrency: 1 });
    await client.execute("PRAGMA locking_mode = EXCLUSIVE");
    await client.execute("DELETE FROM payments WHERE id = 'p0'");
    console.log("held");
    setInterval(() => {}, 1000);`;
  const cwd = new URL("../../..", import.meta.url).pathname;
  const child = Bun.spawn([process.execPath, "-e", program, file], { cwd, stdout: "pipe" });
  await child.stdout.getReader().read();
  return child;
}
