/** Pauses that can be cut short, all at once. */
export type Pauses = {
  wait(ms: number): Promise<void>;
  /** Ends every pause that is running now. */
  hurry(): void;
};

export function pauses(): Pauses {
  const running = new Set<() => void>();
  return {
    wait: (ms) =>
      new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer);
          running.delete(end);
          resolve();
        };
        const timer = setTimeout(end, ms);
        running.add(end);
      }),
    hurry: () => {
      for (const end of running) end();
    },
  };
}
