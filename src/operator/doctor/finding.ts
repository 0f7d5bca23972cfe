/** `unknown`: the doctor can't tell. */
export type State = "well" | "warning" | "wrong" | "unknown";
export type Finding = { what: string; state: State; sentence: string };

export const well = (what: string, sentence: string): Finding => ({ what, state: "well", sentence });
export const warning = (what: string, sentence: string): Finding => ({ what, state: "warning", sentence });
export const wrong = (what: string, sentence: string): Finding => ({ what, state: "wrong", sentence });
export const unknown = (what: string, sentence: string): Finding => ({ what, state: "unknown", sentence });
