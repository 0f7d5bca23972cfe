import { texts } from "@/contract/vocabulary/texts";
import { Refused } from "../../../api/client";

export type Outcome = { title: string; text: string };

/** The title is free text; the icon depends on these words in it. */
export function linkOutcome(title: string) {
  if (title.includes("Success")) return "success";
  if (title.includes("Forbidden") || title.includes("Bad Request")) return "refused";
  if (title.includes("Pending")) return "pending";
  return title.includes("Denied") ? "denied" : "unknown";
}

type Brought = { code?: string; state?: string; error?: string };

/** The outcome if Discord returned no code; null if it returned one. */
export function answeredByDiscord({ code, state, error }: Brought): Outcome | null {
  if (error === "access_denied") return { title: texts.accessDenied, text: texts.accessCanceled };
  if (code && state) return null;
  return {
    title: texts.callbackIncomplete,
    text: "Discord did not send everything needed to connect you. Please press Authorize again.",
  };
}

/** The outcome of a failed call: the server's headline, or that the status is unavailable. */
export function failed(problem: Error): Outcome {
  const title = problem instanceof Refused ? problem.title : undefined;
  if (title) return { title, text: problem.message };
  return {
    title: texts.statusUnavailable,
    text: `${problem.message.replace(/\.$/, "")}. Please refresh to try again.`,
  };
}
