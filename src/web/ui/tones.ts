import type { Tone } from "@/contract/vocabulary/state-words";

/** Each tone's colours, of badges and of icons in a circle. */
export const tones: Record<Tone, string> = {
  good: "border-success/30 bg-success/10 text-success",
  info: "border-info/30 bg-info/10 text-info",
  warning: "border-warning/30 bg-warning/10 text-warning",
  bad: "border-destructive/35 bg-destructive/10 text-destructive-text",
  disputed: "border-dispute/35 bg-dispute/10 text-dispute-text",
  neutral: "border-border bg-secondary/60 text-muted-foreground",
};
