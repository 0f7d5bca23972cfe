export type Row = { id: string };

/** Rows in the order they were made, found by id; a row is replaced, never changed in place. */
export type Table<R extends Row> = {
  get(id: string): R | undefined;
  has(id: string): boolean;
  size(): number;
  all(): R[];
  /** The rows that `groupOf` puts together, oldest first. */
  group(name: string): R[];
  set(row: R): void;
  delete(id: string): void;
};

export function table<R extends Row>(groupOf?: (row: R) => string): Table<R> {
  const rows = new Map<string, R>();
  const groups = new Map<string, Map<string, R>>();
  return {
    get: (id) => rows.get(id),
    has: (id) => rows.has(id),
    size: () => rows.size,
    all: () => [...rows.values()],
    group: (name) => [...(groups.get(name)?.values() ?? [])],
    set(row) {
      rows.set(row.id, row);
      if (!groupOf) return;
      const name = groupOf(row);
      const group = groups.get(name) ?? new Map<string, R>();
      groups.set(name, group.set(row.id, row));
    },
    delete(id) {
      const row = rows.get(id);
      if (row && groupOf) groups.get(groupOf(row))?.delete(id);
      rows.delete(id);
    },
  };
}
