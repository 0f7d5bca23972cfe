import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { DeskFigures, FiguresOfSubscriptions } from "@/contract/wire/desk/figures";
import { minute } from "@/contract/vocabulary/time";
import { readDesk } from "./call";
import { isTouched, whileTouched } from "./presence";

export type Figures = DeskFigures;
export type Sums = DeskFigures["totals"];

export type FiguresAsked = Partial<Record<"from" | "to" | "bucket" | "offer" | "tz" | "currency", string>>;

/** What the shop sold in a range of days; by default the last 30 in the shop's zone. */
export const figuresQuery = (asked: FiguresAsked) => queryOf<Figures>("figures", asked);

/** What became of subscriptions in the same days; null where no offer ever recurred. */
export const subscriptionFiguresQuery = ({ bucket: _bucket, ...asked }: FiguresAsked) =>
  queryOf<FiguresOfSubscriptions | null>("figures/subscriptions", asked);

const queryOf = <Data>(path: string, asked: FiguresAsked) =>
  queryOptions({
    queryKey: ["desk", path, asked],
    queryFn: () => readDesk<Data>(path, asked),
    placeholderData: keepPreviousData,
    staleTime: minute,
    refetchInterval: whileTouched(5 * minute),
    refetchOnWindowFocus: isTouched,
    refetchOnReconnect: isTouched,
  });
