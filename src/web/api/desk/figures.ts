import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { minute } from "@/contract/time";
import { readDesk } from "./call";
import { isTouched, whileTouched } from "./presence";

/** Sums in minor units, counts and shares; null: divided by nothing, or not told with these filters. */
export type Sums = {
  gross: number;
  refunded: number;
  disputed: number;
  net: number;
  average: number | null;
  orders: number;
  checkouts: number;
  conversion: number | null;
  new_accounts: number | null;
  active_licences: number | null;
  mrr: number | null;
};

export type Figures = {
  from: string;
  to: string;
  bucket: "day" | "week" | "month";
  tz: string;
  currency: string;
  currencies: string[];
  totals: Sums;
  previous: Sums;
  series: (Sums & { date: string })[];
};

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
