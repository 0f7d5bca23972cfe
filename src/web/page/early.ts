/** What the page's own script passes to the app (`early-status.ts`) on the window, since both are bundled separately. */
declare global {
  interface Window {
    /** Answers that it has asked for, by path. */
    earlyAnswers?: Map<string, Promise<Response>>;
    earlyStanding?: EarlyStatus;
  }
}

export type EarlyStatus = { title: string; sentence: string };

/** The places in a page's skeleton for the words of an {@link EarlyStatus}, as `data-early`. */
export const earlyPlaces = ["title", "sentence"] as const;

/** Asks the shop, and keeps the answer for the app's own call. */
export function askEarly(path: string): Promise<Response> {
  const answers = (window.earlyAnswers ??= new Map<string, Promise<Response>>());
  const answer = fetch(path);
  answers.set(path, answer);
  return answer.then((one) => one.clone());
}

/**
 * `fetch`, which takes the answer to a call that the page has made already. Each is taken once, and none after a call
 * that changes something, such as signing in. One that was refused is asked for again.
 */
export const fetchOrTake: typeof fetch = Object.assign(
  async (...[input, init]: Parameters<typeof fetch>) => {
    const early = takeEarly(input, init?.method ?? "GET");
    const answer = await early?.catch(() => null);
    return answer?.ok ? answer : fetch(input, init);
  },
  { preconnect: () => {} },
);

function takeEarly(input: unknown, method: string): Promise<Response> | undefined {
  const answers = typeof window === "undefined" ? undefined : window.earlyAnswers;
  if (method !== "GET") answers?.clear();
  if (typeof input !== "string") return undefined;
  const early = answers?.get(input);
  answers?.delete(input);
  return early;
}
