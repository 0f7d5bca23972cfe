import { useEffect } from "react";
import { isRateLimited } from "../api/client";
import { type NoticeArea, notify } from "../page/notices";

/**
 * Shows a failed query's problem in a toast, once: `failed`, or the server's own words if it rate-limits or `failed`
 * is absent.
 */
export function useProblemToast(problem: Error | null, failed?: string, area: NoticeArea = "account") {
  const rateLimited = isRateLimited(problem);
  const sentence = problem && (rateLimited ? problem.message : (failed ?? problem.message));
  useEffect(() => {
    if (sentence) notify(rateLimited ? "info" : "error", sentence, area);
  }, [sentence, rateLimited, area]);
}
