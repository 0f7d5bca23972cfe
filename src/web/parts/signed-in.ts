import { useQuery } from "@tanstack/react-query";
import { meQuery } from "../api/session";
import { useAlive } from "./alive";

/** Whether somebody is signed in, as far as the page can tell; undefined until scripts run or the answer is there. */
export function useSignedIn(): boolean | undefined {
  const alive = useAlive();
  const { data, isError } = useQuery(meQuery);
  if (!alive) return undefined;
  return data === undefined ? (isError ? false : undefined) : data !== null;
}
