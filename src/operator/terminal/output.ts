/** Standard output is closed or full: its disk has no space, or the program that reads it has ended. */
export class OutputFailed extends Error {
  override name = "OutputFailed";
}

/** Writes to standard output and waits until it is taken; rejects with {@link OutputFailed}. */
export async function writeOut(text: string): Promise<void> {
  // the callback gets it as well; without a listener it would end the process
  if (process.stdout.listenerCount("error") === 0) process.stdout.on("error", () => {});
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(text, (error) =>
      error ? reject(new OutputFailed(`The output can't be written (${codeOf(error)}).`)) : resolve(),
    );
  });
}

const codeOf = (error: Error) => ("code" in error ? String(error.code) : error.name);
