import { expect, test } from "bun:test";
import { jsonPieces } from "@/core/base/json-pieces";

async function* pages<T>(...all: T[][]) {
  yield* all;
}

async function written(value: unknown, indent?: number): Promise<string> {
  let text = "";
  for await (const piece of jsonPieces(value, indent)) text += piece;
  return text;
}

const plain = {
  name: 'a "b"\nc',
  at: new Date(0),
  none: null,
  lists: { empty: [], rows: [{ a: 1 }, { a: 2, deep: { b: [true] } }, { a: 3 }] },
  nested: [
    { id: 1, inner: [1, 2, 3] },
    { id: 2, inner: [] },
  ],
};
const paged = () => ({
  ...plain,
  absent: undefined,
  lists: { empty: pages(), rows: pages<object>([{ a: 1 }], [], [{ a: 2, deep: { b: [true] } }, { a: 3 }]) },
  nested: pages([{ id: 1, inner: pages([1, 2], [3]) }], [{ id: 2, inner: pages() }]),
});

test("a value with lists that come in pages is written as JSON.stringify writes it", async () => {
  expect(JSON.parse(await written(paged()))).toEqual(JSON.parse(JSON.stringify(plain)));
  const answer = { status: 200, data: { lists: paged().lists } };
  expect(await written(answer)).toBe(JSON.stringify({ status: 200, data: { lists: plain.lists } }));
  expect(await written({ nested: paged().nested })).toBe(JSON.stringify({ nested: plain.nested }));
  expect(await written({ nested: paged().nested }, 2)).toBe(
    JSON.stringify({ nested: plain.nested }, null, 2),
  );
});
