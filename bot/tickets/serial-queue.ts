/** Does what concerns one thread in the order in which it came, and others' beside it. */
export function inTurns() {
  const last = new Map<string, Promise<void>>();
  return (name: string, act: () => Promise<void>): Promise<void> => {
    const mine = (last.get(name) ?? Promise.resolve()).catch(() => {}).then(act);
    last.set(name, mine);
    return mine.finally(() => {
      if (last.get(name) === mine) last.delete(name);
    });
  };
}
