import { useEffect } from "react";
import { isRateLimited } from "../api/client";
import { notify } from "./notices";

/**
 * Says in a toast that a list could not be fetched: the server's own words where it asks for patience,
 * else `failed`. Answers the problem to show in the list's place.
 */
export function useListProblem(problem: Error | null, failed: string): Error | null {
  const patience = isRateLimited(problem);
  const sentence = problem && (patience ? problem.message : failed);
  useEffect(() => {
    if (sentence) notify(patience ? "info" : "error", sentence, "account");
  }, [sentence, patience]);
  return problem;
}
