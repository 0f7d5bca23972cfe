/**
 * The wire of the shop's sign-in for applications (RFC 8628), of `me` and of an ended sign-in, scripted: what the three
 * clients have to understand. It approves nothing by itself.
 */
type Poll =
  "authorization_pending" | "slow_down" | "access_denied" | "expired_token" | "invalid_grant" | "down";

export const accessToken = "an-access-token";

export function openSignInShop() {
  const state = {
    /** What the next polls are answered; after them, whether it is approved. */
    polls: [] as Poll[],
    approved: false,
    /** What `device/code` is answered in place of a code. */
    codeStatus: 200,
    /** Whether the access token is no longer good, until somebody signs in again. */
    ended: false,
    interval: 5,
    /** The shop that answers everything else, and the account's token there. */
    behind: null as { url: string; token: string } | null,
    /** Every call: its path, its authorization, its body. */
    calls: [] as { path: string; authorization: string | null; body: unknown }[],
  };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request): Promise<Response> {
      const { pathname, search } = new URL(request.url);
      const path = pathname.replace("/api/app/v1/", "");
      const body: unknown = request.method === "POST" ? await request.json() : null;
      state.calls.push({ path, authorization: request.headers.get("authorization"), body });
      if (path === "device/code") return codeAnswer();
      if (path === "device/token") return tokenAnswer(body as { grant_type?: string; device_code?: string });
      if (path === "keys") return passOn(path, null);
      return bearerAnswer(path + search, request.headers.get("authorization"), body);
    },
  });

  const codeAnswer = (): Response => {
    if (state.codeStatus !== 200) return Response.json({ error: "slow_down" }, { status: state.codeStatus });
    return Response.json({
      device_code: "a-device-code",
      user_code: "BCDF-GHJK",
      verification_uri: `${server.url.origin}/device`,
      verification_uri_complete: `${server.url.origin}/device?user_code=BCDF-GHJK`,
      expires_in: 900,
      interval: state.interval,
    });
  };
  const tokenAnswer = ({ grant_type, device_code }: { grant_type?: string; device_code?: string }) => {
    const no = (error: string) => Response.json({ error }, { status: 400 });
    if (grant_type !== "urn:ietf:params:oauth:grant-type:device_code") return no("unsupported_grant_type");
    if (device_code !== "a-device-code") return no("invalid_grant");
    const poll = state.polls.shift();
    if (poll === "down") return new Response("<html>", { status: 502 });
    if (poll) return no(poll);
    if (!state.approved) return no("authorization_pending");
    state.ended = false;
    return Response.json({ access_token: accessToken, token_type: "bearer" });
  };
  const passOn = async (path: string, body: unknown): Promise<Response> => {
    const { behind } = state;
    if (!behind) return Response.json({ status: 503, code: "unavailable", data: "x" }, { status: 503 });
    return fetch(`${behind.url}/api/app/v1/${path}`, {
      headers: { authorization: `Bearer ${behind.token}`, "content-type": "application/json" },
      ...(body ? { method: "POST", body: JSON.stringify(body) } : {}),
    });
  };
  const bearerAnswer = (path: string, authorization: string | null, body: unknown) => {
    if (state.ended || authorization !== `Bearer ${accessToken}`) {
      const headers = { "www-authenticate": 'Bearer error="invalid_token"' };
      return Response.json({ status: 401, code: "NO_LICENSE", data: "x" }, { status: 401, headers });
    }
    if (path !== "me") return passOn(path, body);
    const data = {
      username: "ada",
      offer: "Premium",
      type: "premium",
      level: { id: "premium", name: "Premium" },
      features: ["export"],
      expires_at: "2028-02-29T23:59:58.000Z",
      devices: { used: 1, places: 3 },
    };
    return Response.json({ status: 200, code: "VALID", data });
  };
  return {
    state,
    url: server.url.origin,
    /** The customer presses the button on the page. */
    approve: async () => {
      state.approved = true;
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}
