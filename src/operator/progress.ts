const width = 24;
const leastPauseMilliseconds = 80;

export type ProgressBar = {
  /** So many are done, of so many where that is known. */
  at: (done: number, total?: number) => void;
  /** Takes the bar away, so that nothing of it stands beside the answer. */
  end: () => void;
};

/**
 * How far long work is, in one line of the terminal that is drawn over. On standard error, and only where
 * that is a terminal: an answer that is piped or asked for in JSON is never mixed with it.
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
  return `${"█".repeat(full)}${"░".repeat(width - full)} ${Math.floor(share * 100)} %`;
}
