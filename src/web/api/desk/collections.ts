import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { AnswerOf, Declaration, Page, Sent } from "@/contract/operations/operation";
import type { DeskAnswers } from "@/contract/wire/desk/answers";
import { minute } from "@/contract/vocabulary/time";
import { readDesk } from "./call";
import { callOperation } from "./operations";

export type ListDeclaration = Declaration & { page: true };
export type RowOf<D extends Declaration> = DeskAnswers[D["answers"]];

/** A declared list of products or settings, a page at a time. */
export const collectionQuery = <D extends ListDeclaration>(
  declared: D,
  filters: Readonly<Record<string, string>> = {},
) =>
  infiniteQueryOptions({
    queryKey: ["desk", "list", declared.name, filters] as const,
    queryFn: ({ pageParam }) =>
      callOperation(declared, {
        ...filters,
        limit: 50,
        after: pageParam ?? undefined,
      } as unknown as Sent<D>) as Promise<Page<RowOf<D>>>,
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    staleTime: minute,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

/** One thing of the desk by its declared call. */
export const itemQuery = <D extends Declaration>(declared: D, sent: Sent<D>) =>
  queryOptions({
    queryKey: ["desk", "thing", declared.name, sent] as const,
    queryFn: (): Promise<AnswerOf<D>> => callOperation(declared, sent),
  });

/** The same for calls without a declaration. */
export const pathQuery = <Data>(path: string) =>
  queryOptions({ queryKey: ["desk", "thing", path] as const, queryFn: () => readDesk<Data>(path) });
