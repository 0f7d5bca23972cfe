import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useChange } from "./change";
import { api, ask } from "./client";
import { listQuery } from "./list";

/** The computers that the account keeps, last seen first. */
export const devicesQuery = listQuery("devices", (query) => ask(api.devices.$get({ query })));

/** Refetches the account and its computers: an approved application takes its seat a few seconds later. */
export function useRefreshDevices() {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries();
}

/** Removes a computer. Refetches the list after a refusal too, which may be due to a change made elsewhere. */
export function useRemoveDevice() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => ask(api.devices.remove.$post({ json: { id } })),
    onSettled: () => void queries.invalidateQueries(),
  });
}

export const useRenameDevice = () =>
  useChange((named: { id: string; label: string }) => ask(api.devices.rename.$post({ json: named })));

/**
 * Looks up the computer that shows a code. Wrong codes are counted, so it is asked only when somebody presses, never
 * again by itself.
 */
export const useFindRequest = () =>
  useMutation({
    mutationFn: async (user_code: string) =>
      (await ask(api.devices.request.$get({ query: { user_code } }))).data,
  });

/** Approves or declines the sign-in of the application on the computer with this code. */
export const useDecideRequest = () =>
  useChange((decided: { user_code: string; approve: boolean }) =>
    ask(api.devices.request.$post({ json: decided })),
  );

/** Resolves to the text of a license file for the computer that made the request. */
export const useOfflineFile = () =>
  useChange((request: string) =>
    ask(
      api.devices.offline.$post({ json: { request } }).then((answer) =>
        // the file is no JSON; refusals are
        answer.ok
          ? { ok: true as const, status: answer.status, headers: answer.headers, json: () => answer.text() }
          : answer,
      ),
    ),
  );
