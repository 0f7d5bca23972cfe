import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ListedTicket, TicketDetails, TicketMessage, TicketTranscript } from "@/contract/wire/tickets";
import { hour, minute } from "@/contract/vocabulary/time";
import { api, ask } from "./client";
import { listQuery, type PageQuery } from "./list";
import { createSender } from "./send-once";

/** The account's support tickets, newest first. */
export const ticketsQuery = listQuery("tickets", (query) => ask(api.tickets.$get({ query })));

const unreadQuery = queryOptions({
  queryKey: ["tickets", "unread"],
  queryFn: async () => (await ask(api.tickets.$get({ query: {} }))).data,
  staleTime: minute,
  refetchInterval: minute,
});

/** Whether one of the account's tickets has an unread answer; polled once a minute while the page is visible. */
export const useUnreadTickets = (): boolean =>
  useQuery({ ...unreadQuery, select: (all: ListedTicket[]) => all.some(({ unread }) => unread) }).data ??
  false;

/** Within how many of support's hours an answer usually comes; null while that isn't known. */
export const answerTimeQuery = queryOptions({
  queryKey: ["answer-time"],
  queryFn: async () => (await ask(api.tickets["answer-time"].$get())).data.hours,
  staleTime: hour,
});

/** A ticket with the messages loaded so far; `next` is the place of the earlier ones. */
export type Conversation = { ticket: TicketDetails; messages: TicketMessage[]; next: string | null };

/** Answers appear within six seconds; a hidden page does not poll. */
const pollMilliseconds = 4_000;

export const conversationQuery = (id: string) =>
  queryOptions({
    queryKey: ["ticket", id],
    async queryFn({ client, queryKey }): Promise<Conversation> {
      const fresh = await newest(id, {});
      // reading it takes its mark from the list and the navigation
      if (fresh.ticket.unread) void client.invalidateQueries({ queryKey: ["tickets"] });
      return withNewer(client.getQueryData<Conversation>(queryKey), fresh);
    },
    staleTime: 0,
    refetchInterval: pollMilliseconds,
  });

async function newest(id: string, query: PageQuery): Promise<Conversation> {
  const { data, next } = await ask(api.tickets[":id"].$get({ param: { id }, query }));
  const { messages, ...ticket } = data satisfies TicketTranscript;
  return { ticket, messages, next };
}

/** Keeps earlier messages that were loaded, unless so much is new that some in between are missing. */
function withNewer(known: Conversation | undefined, fresh: Conversation): Conversation {
  const [first] = fresh.messages;
  const at = known?.messages.findIndex(({ id }) => id === first?.id) ?? -1;
  if (!known || at === -1) return fresh;
  return { ...fresh, messages: [...known.messages.slice(0, at), ...fresh.messages], next: known.next };
}

/** Loads the messages before those on the page. */
export function useEarlier(id: string) {
  const queries = useQueryClient();
  return useMutation({
    async mutationFn(before: string) {
      const page = await newest(id, { before });
      queries.setQueryData(conversationQuery(id).queryKey, (known) => known && withEarlier(known, page));
    },
  });
}

const withEarlier = (known: Conversation, page: Conversation): Conversation => ({
  ...known,
  messages: [...page.messages, ...known.messages],
  next: page.next,
});

export function useOpenTicket() {
  const [open] = useState(() =>
    createSender((json: { topic: string; question: string }, key) =>
      ask(api.tickets.$post({ json, header: { "idempotency-key": key } })),
    ),
  );
  return useTicketCall(open);
}

export function useWrite(id: string) {
  const [write] = useState(() =>
    createSender((text: string, key) =>
      ask(
        api.tickets[":id"].messages.$post({
          param: { id },
          json: { text },
          header: { "idempotency-key": key },
        }),
      ),
    ),
  );
  return useTicketCall(write);
}

export const useClose = (id: string) =>
  useTicketCall(() => ask(api.tickets[":id"].close.$post({ param: { id } })));

export const useReopen = (id: string) =>
  useTicketCall(() => ask(api.tickets[":id"].reopen.$post({ param: { id } })));

export const useRate = (id: string) =>
  useTicketCall((json: { stars: number; comment?: string }) =>
    ask(api.tickets[":id"].rating.$post({ param: { id }, json })),
  );

/** Sends a file's bytes in a ticket. */
export function upload(id: string, file: File): Promise<{ data: TicketDetails }> {
  const headers = { "content-type": file.type || "application/octet-stream" };
  const call = { param: { id }, query: { name: file.name } };
  return ask(api.tickets[":id"].files.$post(call, { init: { body: file, headers } }));
}

export const useUpload = (id: string) => useTicketCall((file: File) => upload(id, file));

/** A call that changes a ticket; is done only once the page has refetched it. */
function useTicketCall<Typed, Answer extends { data: TicketDetails }>(
  call: (typed: Typed) => Promise<Answer>,
) {
  const queries = useQueryClient();
  return useMutation({ mutationFn: call, onSuccess: ({ data }) => refresh(queries, data.id) });
}

async function refresh(queries: QueryClient, id: string): Promise<void> {
  void queries.invalidateQueries({ queryKey: ["tickets"] });
  await queries.invalidateQueries({ queryKey: conversationQuery(id).queryKey });
}
