import { tmpdir } from "node:os";
import { stripVTControlCharacters } from "node:util";
import { root } from "./run-process";

/** A person at a terminal in which a command of the shop runs. */
export const openTypist = (env: Record<string, string>, ...args: string[]) =>
  openTerminal([process.execPath, "src/operator/main.ts", ...args], {
    PATH: process.env["PATH"] ?? "",
    TMPDIR: tmpdir(),
    TERM: "xterm-256color",
    ...env,
  });

export type Typist = ReturnType<typeof openTerminal>;

/** A person at a terminal in which a program runs: reads what it shows, and types. */
export function openTerminal(command: string[], env: Record<string, string>) {
  let raw = "";
  let read = 0;
  let wake = () => {};
  let look = () => {};
  const decoder = new TextDecoder();
  const child = Bun.spawn(command, {
    cwd: root,
    env,
    terminal: {
      cols: 160,
      rows: 50,
      data(_, bytes) {
        raw += decoder.decode(bytes, { stream: true });
        look();
        wake();
      },
    },
  });
  const ended = child.exited.then((code) => {
    wake();
    return code;
  });
  const shown = () => stripVTControlCharacters(raw);

  /** Waits until something new shows, and returns everything new up to there. */
  async function sees(text: string): Promise<string> {
    for (;;) {
      const at = shown().indexOf(text, read);
      if (at >= 0) {
        const before = shown().slice(read, at + text.length);
        read = at + text.length;
        return before;
      }
      if (child.exitCode !== null) {
        throw new Error(`it ended with ${child.exitCode} before it showed "${text}":\n${shown()}`);
      }
      await new Promise<void>((resolve) => void (wake = resolve));
    }
  }
  return {
    pid: child.pid,
    /** Everything that was shown, without its colours. */
    shown,
    /** Called whenever something shows, so also at each step of a bar that moves while a child runs. */
    whenShown: (act: () => void) => void (look = act),
    sees,
    types: (text: string) => void child.terminal?.write(text),
    /** Waits for a question, and answers it; without an answer takes what is proposed. */
    async answers(question: string, typed = ""): Promise<void> {
      await sees(question);
      child.terminal?.write(`${typed}\r`);
    },
    /** Presses Ctrl+C. */
    leaves: () => void child.terminal?.write("\u0003"),
    /** The exit code, once the command has ended. */
    ended: () => ended,
    [Symbol.dispose]() {
      child.kill();
      child.terminal?.close();
    },
  };
}
