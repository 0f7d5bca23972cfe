/**
 * What a shop may lack: its brand lists no commands, a setting turned it off, nothing is on sale, or its first offer isn't
 * for a lifetime.
 */
export type Without = "commands" | "discord" | "total-users" | "sale" | "lifetime";

/**
 * Whether the page's shop lacks it, as the server wrote into the page. Built pages lack nothing: their elements with
 * `data-needs` are what the server leaves out.
 */
export const isWithout = (what: Without): boolean =>
  typeof document !== "undefined" &&
  (document.documentElement.dataset["without"] ?? "").split(" ").includes(what);
