import { useEffect } from "react";
import { isRateLimited } from "../api/client";
import { notify } from "../parts/notices";

/**
 * Shows a toast that a list could not be fetched: the server's own words when it rate-limits, else `failed`.
 * Returns the problem to show instead of the list.
 */
export function useListProblem(problem: Error | null, failed: string): Error | null {
  const patience = isRateLimited(problem);
  const sentence = problem && (patience ? problem.message : failed);
  useEffect(() => {
    if (sentence) notify(patience ? "info" : "error", sentence, "account");
  }, [sentence, patience]);
  return problem;
}
