import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { DeskFigures } from "@/contract/desk/figures";
import { minute } from "@/contract/time";
import { readDesk } from "./call";
import { isTouched, whileTouched } from "./presence";

export type Figures = DeskFigures;
export type Sums = DeskFigures["totals"];

export type FiguresAsked = Partial<Record<"from" | "to" | "bucket" | "offer" | "tz" | "currency", string>>;

/** What the shop sold in a range of days; by default the last 30 in the shop's zone. */
export const figuresQuery = (asked: FiguresAsked) =>
  queryOptions({
    queryKey: ["desk", "figures", asked],
    queryFn: () => readDesk<Figures>("figures", asked),
    placeholderData: keepPreviousData,
    staleTime: minute,
    refetchInterval: whileTouched(5 * minute),
    refetchOnWindowFocus: isTouched,
    refetchOnReconnect: isTouched,
  });
