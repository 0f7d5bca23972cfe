export type Finding = { what: string; state: "well" | "warning" | "wrong"; sentence: string };

export const well = (what: string, sentence: string): Finding => ({ what, state: "well", sentence });
export const warning = (what: string, sentence: string): Finding => ({ what, state: "warning", sentence });
export const wrong = (what: string, sentence: string): Finding => ({ what, state: "wrong", sentence });
