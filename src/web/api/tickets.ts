import { queryOptions } from "@tanstack/react-query";
import { api, ask } from "./client";

/** The account's support tickets, newest first. */
export const ticketsQuery = queryOptions({
  queryKey: ["tickets"],
  queryFn: async () => (await ask(api.tickets.$get())).data,
});

/** One ticket with its messages. */
export const ticketQuery = (id: string) =>
  queryOptions({
    queryKey: ["ticket", id],
    queryFn: async () => (await ask(api.tickets[":id"].$get({ param: { id } }))).data,
  });
