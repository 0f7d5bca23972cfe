import type { Store } from "./database";

/**
 * A query that drizzle builds once per database, with placeholders for its values. For the few queries in nearly every
 * request: building one takes several times as long as running it.
 */
export function preparedRead<Q>(build: (db: Store["db"]) => Q): (store: Store) => Q {
  const prepared = new WeakMap<Store, Q>();
  return (store) => {
    const known = prepared.get(store) ?? build(store.db);
    prepared.set(store, known);
    return known;
  };
}
