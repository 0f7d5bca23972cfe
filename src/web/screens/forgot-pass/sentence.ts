import { texts } from "@/contract/texts";

/** What the server said is better than a sentence of our own, where it said anything. */
export const sentenceOr = (problem: Error, fallback: string) =>
  problem.message === "" || problem.message === texts.unknownError ? fallback : problem.message;
