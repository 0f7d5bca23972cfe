import type { Call } from "../../stories/api/calls";

/** The account that makes the walk. */
export type Walker = {
  /** Values of parameters and fields by name; all others come from the description's examples. */
  known: Record<string, string>;
  cookie: () => string;
  token: string;
};

export type WalkedCall = { call: Call; path: string; init: RequestInit };

/** A request that makes a call as its owner would, from the call's own description. */
export function requestOf(call: Call, { known, cookie, token }: Walker): WalkedCall {
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => known[name] ?? "x");
  const query = new URLSearchParams(
    call.query
      .filter((name) => !call.path.includes(`{${name}}`) && name in known)
      .map((name) => [name, known[name] ?? ""]),
  );
  const fields = Object.keys(call.body?.properties ?? {}).filter((name) => name in known);
  const body = {
    ...(call.example as object),
    ...Object.fromEntries(fields.map((name) => [name, known[name]])),
  };
  const headers = {
    "sec-fetch-site": "same-origin",
    "x-forwarded-for": "192.0.2.7",
    cookie: cookie(),
    ...(call.security === "token" || call.security === "serverKey"
      ? { authorization: `Bearer ${token}` }
      : {}),
    ...(call.body ? { "content-type": "application/json" } : {}),
  };
  return {
    call,
    path: `${path}${query.size > 0 ? `?${query}` : ""}`,
    init: {
      method: call.method,
      redirect: "manual",
      headers,
      ...(call.body ? { body: JSON.stringify(body) } : {}),
    },
  };
}

/** Calls that end a session or an account come last. */
export const inOrder = (calls: Call[]): Call[] => calls.toSorted((one, other) => rankOf(one) - rankOf(other));

const rankOf = ({ path }: Call) =>
  path.endsWith("/delete") ? 2 : /logout|reset|undo|end/.test(path) ? 1 : 0;

/** The longest list anywhere in a value. */
export function longestList(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const within = Math.max(0, ...Object.values(value).map(longestList));
  return Array.isArray(value) ? Math.max(value.length, within) : within;
}
