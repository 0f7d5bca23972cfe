/** A licence client for desktop applications: activate, check online and offline, look for updates. */
import { type Checked, checkToken, type Claims, type Doubt, keyIdOf, type PublicKey } from "./token";

export type { PublicKey } from "./token";

/** Where the client keeps its token between starts: a file, the registry, a keychain. */
export type Keeper = { read(): Promise<string | null>; write(text: string): Promise<void> };

export type Options = {
  /** The shop's URL, such as `https://shop.example`. */
  shop: string;
  /** The customer's auth token from the dashboard (Account, Details). */
  token: string;
  /** Anything that identifies this machine and doesn't change. The shop stores only a keyed hash. */
  hwid: string;
  /** Your application's version (semver). */
  version: string;
  keeper: Keeper;
  /** The shop's public keys, built into your application. By default the client fetches them once and stores them. */
  keys?: PublicKey[];
  /** For tests. */
  fetch?: (url: string, init?: RequestInit) => Promise<Response>;
  /** For tests; milliseconds. */
  now?: () => number;
};

/** The shop refused. */
export type Refused = {
  code:
    "NO_LICENSE" | "EXPIRED" | "DISPUTED" | "REVOKED" | "NOT_ACTIVATED" | "HWID_MISMATCH" | "UPDATE_REQUIRED";
  /** A sentence to show. */
  message: string;
  /** With HWID_MISMATCH: when the owner can move to another device. */
  availableAt?: Date;
  /** With UPDATE_REQUIRED. */
  minimumVersion?: string;
};

export type Verdict =
  | {
      code: "VALID";
      /** False if the shop could not be reached, so the client used the stored token. */
      online: boolean;
      /** True if the token has expired and only its grace period is left: ask the customer to go online. */
      grace: boolean;
      type: string;
      /** Null for a lifetime. */
      expiresAt: Date | null;
      /** After this the application must reach the shop. */
      offlineUntil: Date;
    }
  | Refused
  /** Unknown: the shop could not be reached and there is no valid stored token. Never means "not licensed". */
  | { code: "UNVERIFIED"; why: Doubt };

export type Update = {
  version: string;
  title: string;
  content: string;
  newer: boolean;
  required: boolean;
  files: { platform: string; name: string; url: string; size: number; sha512: string; signature: string }[];
};

type Kept = { token: string | null; keys: PublicKey[]; latestSeen: number };
type Body = { code?: string; data?: unknown; available_at?: string; minimum_version?: string };

const refusals = /^(NO_LICENSE|EXPIRED|DISPUTED|REVOKED|NOT_ACTIVATED|HWID_MISMATCH|UPDATE_REQUIRED)$/;
const timeoutMilliseconds = 10_000;

export function createLicence(options: Options) {
  const { keeper, hwid, version } = options;
  const { fetch: ask = fetch, now = Date.now } = options;
  const base = new URL("/api/app/v1/", options.shop).href;
  const seconds = () => Math.floor(now() / 1000);

  /** Null if the shop can't be reached or fails, so that an outage never counts as "invalid". */
  const call = async (path: string, body?: object): Promise<{ status: number; body: Body } | null> => {
    try {
      const response = await ask(base + path, {
        method: body ? "POST" : "GET",
        headers: {
          authorization: `Bearer ${options.token}`,
          ...(body ? { "content-type": "application/json" } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        signal: AbortSignal.timeout(timeoutMilliseconds),
      });
      // a proxy or another server may answer with any JSON
      return { status: response.status, body: Object(await response.json()) as Body };
    } catch {
      return null;
    }
  };

  const recall = async (): Promise<Kept> => {
    const nothing: Kept = { token: null, keys: [], latestSeen: 0 };
    try {
      return { ...nothing, ...(JSON.parse((await keeper.read()) ?? "{}") as Partial<Kept>) };
    } catch {
      return nothing;
    }
  };
  const keep = (kept: Kept) => keeper.write(JSON.stringify(kept));

  const judge = (kept: Kept): Promise<Checked> =>
    checkToken({ ...kept, keys: options.keys ?? kept.keys, hwid, now: seconds() });

  /** Stores a new token and the keys that verify it, if the token is for this machine. */
  const takeIn = async (token: string): Promise<Verdict> => {
    const kept = { ...(await recall()), token, latestSeen: seconds() };
    if (!options.keys && !kept.keys.some((key) => key.kid === keyIdOf(token))) {
      const answer = (await call("keys"))?.body as { keys?: PublicKey[] } | undefined;
      kept.keys = answer?.keys ?? kept.keys;
    }
    const checked = await judge(kept);
    // a later version of the application knows the key; until then the stored token counts
    if ("doubt" in checked && checked.doubt === "unknown_key") return checkOffline();
    if ("doubt" in checked) return { code: "UNVERIFIED", why: checked.doubt };
    await keep(kept);
    return valid(checked.claims, { online: true, grace: checked.grace });
  };

  /** Checks the stored token, without the network. */
  const checkOffline = async (): Promise<Verdict> => {
    const kept = await recall();
    const checked = await judge(kept);
    if ("doubt" in checked) return { code: "UNVERIFIED", why: checked.doubt };
    if (seconds() > kept.latestSeen) await keep({ ...kept, latestSeen: seconds() });
    return valid(checked.claims, { online: false, grace: checked.grace });
  };

  const settle = async (answer: { status: number; body: Body } | null): Promise<Verdict> => {
    const { token } = Object(answer?.body.data) as { token?: unknown };
    if (answer?.body.code === "VALID" && typeof token === "string") return takeIn(token);
    const refused = answer && refusalIn(answer.body);
    if (!refused) return checkOffline();
    // otherwise a revoked licence would come back offline
    await keep({ ...(await recall()), token: null });
    return refused;
  };

  return {
    /** Binds this machine, or confirms that it is bound. Call it when the customer enters the token. */
    activate: async (machine: { label: string; os: string }) =>
      settle(await call("activate", { hwid, version, ...machine })),
    /** Asks the shop, and falls back to the stored token. Call it at every start and about once a day. */
    check: async () => settle(await call("validate", { hwid, version })),
    checkOffline,
    /** Releases this machine. */
    async deactivate(): Promise<boolean> {
      const answer = await call("deactivate", { hwid });
      if (answer?.status !== 200) return false;
      await keep({ ...(await recall()), token: null });
      return true;
    },
    /** The newest release for a system, with absolute URLs; null if there is none or the shop can't be reached. */
    async update(
      system: "windows" | "mac" | "linux",
      channel: "latest" | "beta" | "alpha" = "latest",
    ): Promise<Update | null> {
      const query = new URLSearchParams({ version, channel });
      const answer = await call(`update/${system}?${query}`);
      if (answer?.status !== 200 || !answer.body.data) return null;
      const found = answer.body.data as Update;
      const files = found.files.map((file) => ({ ...file, url: new URL(file.url, `${base}update/`).href }));
      return { ...found, files };
    },
  };
}

const valid = (claims: Claims, how: { online: boolean; grace: boolean }): Verdict => ({
  code: "VALID",
  ...how,
  type: claims.entitlement.type,
  expiresAt: claims.entitlement.expires === null ? null : new Date(claims.entitlement.expires * 1000),
  offlineUntil: new Date(claims.grace_until * 1000),
});

function refusalIn(body: Body): Refused | null {
  if (!refusals.test(body.code ?? "")) return null;
  return {
    code: body.code as Refused["code"],
    message: String(body.data),
    ...(body.available_at ? { availableAt: new Date(body.available_at) } : {}),
    ...(body.minimum_version ? { minimumVersion: body.minimum_version } : {}),
  };
}
