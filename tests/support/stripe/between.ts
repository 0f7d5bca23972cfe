// oxlint-disable-next-line typescript/no-explicit-any -- a test may change any field
type Json = any;

/** What Stripe sends in states that the simulator doesn't have; changes the answer to a call in place. */
export type Change = (call: { method: string; path: string }, answer: Json) => void;

/** Stands between the shop and Stripe's simulator: `STRIPE_API_URL` is its address. */
export function standBetween() {
  let target = "";
  let change: Change = () => {};
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      if (target === "") return Response.json({ error: { type: "api_error" } }, { status: 503 });
      const { pathname: path, search } = new URL(request.url);
      const { method } = request;
      const headers = new Headers(request.headers);
      headers.delete("host");
      const body = method === "GET" ? null : await request.text();
      const answer = await fetch(`${target}${path}${search}`, { method, headers, body });
      const told: Json = await answer.json();
      if (answer.ok) change({ method, path }, told);
      const sent = new Headers({ "content-type": "application/json" });
      for (const name of ["request-id", "idempotent-replayed"]) {
        const value = answer.headers.get(name);
        if (value !== null) sent.set(name, value);
      }
      return new Response(JSON.stringify(told), { status: answer.status, headers: sent });
    },
  });
  return {
    env: { STRIPE_API_URL: `http://127.0.0.1:${server.port}` },
    /** From now on answers are the simulator's, changed. */
    begin(stripeUrl: string, how: Change) {
      target = stripeUrl;
      change = how;
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

/** Changes every object of a kind in an answer, wherever it stands. */
export function eachIn(answer: Json, object: string, change: (one: Json) => void): void {
  if (typeof answer !== "object" || answer === null) return;
  if (answer.object === object) change(answer);
  for (const value of Object.values(answer)) eachIn(value, object, change);
}
