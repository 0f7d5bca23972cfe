import type { Finding } from "@/domain/system/system";

export const well = (what: string, sentence: string): Finding => ({ what, state: "well", sentence });
export const warning = (what: string, sentence: string): Finding => ({ what, state: "warning", sentence });
export const wrong = (what: string, sentence: string): Finding => ({ what, state: "wrong", sentence });
export const unknown = (what: string, sentence: string): Finding => ({ what, state: "unknown", sentence });
