import type { Store } from "@/core/database";

type Also = { warnings: boolean };
type Seat<T> = { running: Promise<T>; next: { also: Also; result: Promise<T> } | null };

/**
 * Runs one task at a time for each name. Callers that arrive while one is running share the next run, which begins
 * after they called and does what any of them asked for.
 */
export function turnTaker<T>() {
  /** The tasks in progress, by database. */
  const tables = new WeakMap<Store, Map<string, Seat<T>>>();

  return (store: Store, name: string, also: Also, work: (also: Also) => Promise<T>): Promise<T> => {
    const seats = tables.get(store) ?? new Map<string, Seat<T>>();
    tables.set(store, seats);

    const begin = (wanted: Also): Promise<T> => {
      const seat: Seat<T> = { running: work(wanted), next: null };
      seats.set(name, seat);
      const leave = () => {
        if (!seat.next) seats.delete(name);
      };
      seat.running.then(leave, leave);
      return seat.running;
    };

    const seat = seats.get(name);
    if (!seat) return begin(also);
    if (seat.next) {
      seat.next.also.warnings ||= also.warnings;
      return seat.next.result;
    }
    const wanted = { ...also };
    const turn = () => begin(wanted);
    seat.next = { also: wanted, result: seat.running.then(turn, turn) };
    return seat.next.result;
  };
}
