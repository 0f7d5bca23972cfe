import { infiniteQueryOptions } from "@tanstack/react-query";
import { api, ask } from "./client";
import { listQuery, pageQuery } from "./list";

/** The account's support tickets, newest first. */
export const ticketsQuery = listQuery("tickets", (query) => ask(api.tickets.$get({ query })));

/** One ticket with the messages loaded so far: the newest page first, earlier pages on request. */
export const ticketQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ["ticket", id],
    queryFn: ({ pageParam }) => ask(api.tickets[":id"].$get({ param: { id }, query: pageQuery(pageParam) })),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    select: ({ pages }) => {
      const [newest] = pages;
      const messages = pages.toReversed().flatMap(({ data }) => data.messages);
      return newest && { ...newest.data, messages };
    },
  });
