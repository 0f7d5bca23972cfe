import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { showFigures, showFiguresByOffer, showFiguresOfSubscriptions } from "@/contract/operations/desk";
import type { AnswerOf, Declaration, Sent } from "@/contract/operations/operation";
import type { DeskFigures } from "@/contract/wire/desk/figures";
import { minute } from "@/contract/vocabulary/time";
import { callOperation } from "./operations";
import { refetchWhenTouched, pollWhileTouched } from "./presence";

export type Figures = DeskFigures;
export type Sums = DeskFigures["totals"];

export type FiguresQuery = Partial<Record<"from" | "to" | "bucket" | "offer" | "currency", string>>;

/** What the shop sold in a range of days; by default the last 30 in the shop's zone. */
export const figuresQuery = (asked: FiguresQuery) => queryOf(showFigures, asked);

/** What became of subscriptions in the same days; null where no offer ever recurred. */
export const subscriptionFiguresQuery = ({ bucket: _bucket, ...asked }: FiguresQuery) =>
  queryOf(showFiguresOfSubscriptions, asked);

/** What each offer sold in the same days. */
export const offerFiguresQuery = ({ from, to, currency }: FiguresQuery) =>
  queryOf(showFiguresByOffer, {
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(currency !== undefined && { currency }),
  });

const queryOf = <D extends Declaration>(declared: D, asked: FiguresQuery) =>
  queryOptions({
    queryKey: ["desk", declared.name, asked],
    queryFn: (): Promise<AnswerOf<D>> => callOperation(declared, asked as Sent<D>),
    placeholderData: keepPreviousData,
    staleTime: minute,
    refetchInterval: pollWhileTouched(5 * minute),
    ...refetchWhenTouched,
  });
