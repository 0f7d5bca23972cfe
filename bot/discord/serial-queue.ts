/** Runs the tasks of a key, such as a channel's id, one after the other, and those of different keys concurrently. */
export function serialQueue() {
  const last = new Map<string, Promise<unknown>>();
  return <T>(key: string, act: () => Promise<T>): Promise<T> => {
    const mine = (last.get(key) ?? Promise.resolve()).catch(() => {}).then(act);
    last.set(key, mine);
    return mine.finally(() => {
      if (last.get(key) === mine) last.delete(key);
    });
  };
}
