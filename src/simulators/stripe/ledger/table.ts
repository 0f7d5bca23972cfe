export type Row = { id: string };

/** Rows in the order they were made, found by id; a row is replaced, never changed in place. */
export type Table<R extends Row> = {
  get(id: string): R | undefined;
  set(row: R): void;
  size(): number;
  /** Newest first; after the row with id `after` when given. */
  newest(after?: string): Generator<R>;
  oldest(): Generator<R>;
};

export function table<R extends Row>(): Table<R> {
  const rows: R[] = [];
  const places = new Map<string, number>();
  return {
    get(id) {
      const place = places.get(id);
      return place === undefined ? undefined : rows[place];
    },
    set(row) {
      const place = places.get(row.id);
      if (place === undefined) places.set(row.id, rows.push(row) - 1);
      else rows[place] = row;
    },
    size: () => rows.length,
    *newest(after) {
      let place = after === undefined ? rows.length : (places.get(after) ?? 0);
      for (let row = rows[--place]; row !== undefined; row = rows[--place]) yield row;
    },
    *oldest() {
      yield* rows;
    },
  };
}
