/** After this many failures in a row, Discord's API counts as away. */
const failuresWhenAway = 3;

export type Reachability = ReturnType<typeof watchReachability>;

/**
 * Whether Discord's API answers, measured by each call's outcome: occasional failures don't count. Calls `onBack` on the
 * first answer after Discord was away.
 */
export function watchReachability() {
  let failures = 0;
  const listeners: (() => void)[] = [];
  const isAway = () => failures >= failuresWhenAway;
  return {
    isAway,
    onBack(listener: () => void) {
      listeners.push(listener);
    },
    failed() {
      failures += 1;
    },
    answered() {
      const wasAway = isAway();
      failures = 0;
      if (wasAway) for (const listener of listeners) listener();
    },
  };
}
