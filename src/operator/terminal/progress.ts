const width = 24;
const leastPauseMilliseconds = 80;

export type ProgressBar = {
  /** Shows how many are done, and of how many if known. */
  at: (done: number, total?: number) => void;
  /** Clears the bar before the answer is printed. */
  end: () => void;
};

/**
 * The progress of long work, redrawn on one line of the terminal. It goes to standard error, and only if that is
 * a terminal, so it never mixes with piped or JSON output.
 */
export function progressBar(
  label: string,
  json: boolean | undefined,
  to: Pick<NodeJS.WriteStream, "isTTY" | "write"> = process.stderr,
): ProgressBar {
  if (json || !to.isTTY) return { at: () => {}, end: () => {} };
  let drawnAt = 0;
  const draw = (line: string) => to.write(`\r\u001B[K${line}`);
  draw(`${label} …`);
  return {
    at(done, total) {
      const now = performance.now();
      if (now - drawnAt < leastPauseMilliseconds && done !== total) return;
      drawnAt = now;
      draw(`${label} ${total === undefined ? String(done) : barOf(done, total)}`);
    },
    end: () => void draw(""),
  };
}

function barOf(done: number, total: number): string {
  const share = total > 0 ? Math.min(1, done / total) : 1;
  const full = Math.round(share * width);
  return `${"█".repeat(full)}${"░".repeat(width - full)} ${Math.floor(share * 100)}%`;
}
