import { queryOptions } from "@tanstack/react-query";
import { api, ask } from "./client";

/** What a promotion code does to an order. Asked once a page, because an address may ask ten times in ten minutes. */
export const codeQuery = (offer: string, code: string, quantity: number) =>
  queryOptions({
    queryKey: ["code", offer, code, quantity],
    queryFn: async () => (await ask(api.offers.code.$post({ json: { offer, code, quantity } }))).data,
    staleTime: Infinity,
    retry: false,
  });
