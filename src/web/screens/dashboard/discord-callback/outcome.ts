import { Ban, CircleAlert, CircleCheck, CircleHelp, Hourglass, type LucideIcon } from "lucide-react";
import { texts } from "@/contract/texts";
import { Refused } from "../../../api/client";

/** What the screen shows about a Discord authorization. */
export type Outcome = { title: string; text: string };

type Look = { name: string; icon: LucideIcon; colours: string };

/** The title is free text; these words in it decide its icon. */
export function lookOf(title: string): Look {
  return looks.find(([words]) => words.some((word) => title.includes(word)))?.[1] ?? unknown;
}

const looks: [words: string[], look: Look][] = [
  [
    ["Success"],
    { name: "success", icon: CircleCheck, colours: "text-success bg-success/10 ring-success/30" },
  ],
  [
    ["Forbidden", "Bad Request"],
    { name: "refused", icon: CircleAlert, colours: "text-destructive bg-destructive/10 ring-destructive/30" },
  ],
  [["Pending"], { name: "pending", icon: Hourglass, colours: "text-warning bg-warning/10 ring-warning/30" }],
  [
    ["Denied"],
    { name: "denied", icon: Ban, colours: "text-destructive bg-destructive/10 ring-destructive/30" },
  ],
];
const unknown: Look = { name: "unknown", icon: CircleHelp, colours: "text-info bg-info/10 ring-info/30" };

type Brought = { code?: string; state?: string; error?: string };

/** The outcome if Discord returned no code; null if it did. */
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
  return { title: texts.statusUnavailable, text: `${problem.message}. Please refresh to try again.` };
}
