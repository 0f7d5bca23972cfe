import { expect, test } from "bun:test";
import { QueryClient } from "@tanstack/react-query";
import { deskListQuery, refreshDesk } from "@/web/api/desk/lists";

test("a list that was left keeps its pages when something changes, so that Back leads to the same row", async () => {
  const queries = new QueryClient();
  const { queryKey } = deskListQuery("payments", { status: "open" });
  const pages = ["a", "b", "c"].map((next) => ({ rows: [], next }));
  queries.setQueryData(queryKey, { pages, pageParams: [null, "a", "b"] });
  await refreshDesk(queries);
  expect(queries.getQueryData(queryKey)?.pages).toEqual(pages);
  expect(queries.getQueryState(queryKey)?.isInvalidated).toBe(true);
  queries.clear();
});
