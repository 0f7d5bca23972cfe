/**
 * A licence client for desktop applications: sign in, activate, check online and offline, look for updates.
 * One file without dependencies, to copy. It runs in Node 20 and later, Bun and Electron's main process.
 */

/** A public key as the shop's `keys` call returns it (JWK, RFC 8037). */
export type PublicKey = { kty: string; crv: string; x: string; kid: string };

type Foreign = "malformed" | "algorithm" | "unknown_key" | "signature" | "audience" | "issuer" | "device";
/** Why a token is refused: the first that holds, in this order. */
export type Reason = Foreign | "not_yet_valid" | "clock" | "ended";

export type Check = { verdict: "valid" | "grace"; reason: null } | { verdict: "refused"; reason: Reason };

/** Where the client keeps what it knows between starts: a file, the registry, a keychain. Both calls may fail. */
export type Keeper = { read(): Promise<string | null>; write(text: string): Promise<void> };

export type Options = {
  /** The shop's URL, such as `https://shop.example`. */
  shop: string;
  /** Anything that identifies this machine and doesn't change. The shop stores only a keyed hash. */
  hwid: string;
  /** Your application's version (semver). */
  version: string;
  keeper: Keeper;
  /** The shop's public keys, built into your application. By default the client fetches them once and stores them. */
  keys?: PublicKey[];
  /** The customer's auth token (Account, Details), for applications that don't sign in. */
  token?: string;
  /** The addresses whose tokens count; by default the shop's. See the docs, "When the shop's address changes". */
  issuers?: string[];
  /** For tests, as the next two, which are in milliseconds. */
  fetch?: (url: string, init?: RequestInit) => Promise<Response>;
  now?: () => number;
  wait?: (milliseconds: number) => Promise<unknown>;
};

/** How this computer is shown to its owner. What has more than 64 characters is cut. */
export type Machine = { label: string; os: string };

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
  /** Never: the shop knows who asks, and what. */
  signIn?: undefined;
  fault?: undefined;
};

export type Verdict =
  | {
      code: "VALID";
      /** False if the shop could not be reached, so the client used the stored token. */
      online: boolean;
      /** True if the token has expired and only its grace period is left: ask the customer to go online. */
      grace: boolean;
      type: string;
      /** The id of the level that this computer has. */
      level: string;
      /** Those that this computer has now, sorted. */
      features: string[];
      /** Null for a lifetime. */
      expiresAt: Date | null;
      /** After this the application must reach the shop. */
      offlineUntil: Date;
      /** The shop no longer accepts this computer's sign-in: ask the customer to sign in again. */
      signIn: boolean;
      /** Who answered found the question wrong, such as `400 invalid_field hwid`; null if the network was at fault. */
      fault: string | null;
    }
  | Refused
  /** Unknown: there is no verdict of the shop and no valid stored token. Never means "not licensed". */
  | { code: "UNVERIFIED"; why: Reason | "no_token"; signIn: boolean; fault: string | null };

/** What to show while the customer signs in: open `verificationUriComplete`, or show the other two. */
export type SignInCode = {
  userCode: string;
  verificationUri: string;
  verificationUriComplete: string;
  expiresAt: Date;
};

export type SignedIn =
  | "signed_in"
  | "access_denied"
  | "expired_token"
  /** Too many computers of this network ask at the moment. */
  | "slow_down"
  /** This shop has no sign-in for applications: use the customer's auth token. */
  | "unsupported"
  /** The shop finds the question wrong, which waiting doesn't mend. */
  | "invalid_request"
  | "unavailable"
  | "stopped";

export type Me = {
  username: string;
  offer: string | null;
  type: string | null;
  level: { id: string; name: string } | null;
  features: string[];
  expiresAt: Date | null;
  devices: { used: number; places: number };
};

export type Update = {
  version: string;
  title: string;
  content: string;
  newer: boolean;
  required: boolean;
  files: { platform: string; name: string; url: string; size: number; sha512: string; signature: string }[];
};

type Claims = Record<"iss" | "aud" | "sub" | "device", string> &
  Record<"iat" | "exp" | "grace_until", number> & {
    entitlement: { type: string; expires: number | null };
    /** Not in a token of an older shop, as the next one: each feature's end, in Unix seconds. */
    level?: string;
    features?: Record<string, number>;
  };
type Kept = {
  /** Null before the first sign-in, and empty when the last has ended. */
  accessToken: string | null;
  token: string | null;
  keys: PublicKey[];
  latestSeen: number;
  /** How many seconds the shop's clock was ahead of this computer's at the last answer. */
  ahead: number;
};
type Fields = Record<string, unknown>;
type Answer = { status: number; body: Fields } | null;
type Offline = Exclude<Verdict, Refused>;

const refusals = /^(NO_LICENSE|EXPIRED|DISPUTED|REVOKED|NOT_ACTIVATED|HWID_MISMATCH|UPDATE_REQUIRED)$/;
const timeoutMilliseconds = 10_000;
/** Tolerance for clock differences; rejects a clock set back further than this. */
const leewaySeconds = 5 * 60;
const longestToken = 8192;
const deepestJson = 8;

/**
 * Whether a token, or the text of a `license.lic`, entitles this machine: `grace` if it has expired but its grace
 * period has not. Times are Unix seconds; `latestSeen` is the latest ever seen here, which reveals a clock set back.
 * `fresh`: the shop answered with it in this very call, so that it is not earlier than `iat`, whatever the clock says.
 */
// oxlint-disable-next-line eslint/max-params -- the same in every language
export async function checkToken(
  token: string,
  keys: readonly PublicKey[],
  issuer: string,
  hwid: string,
  now: number,
  latestSeen: number,
  fresh = false,
): Promise<Check> {
  const read = readToken(token);
  if (!read) return refused("malformed");
  const { header, claims } = read;
  if (header.alg !== "EdDSA") return refused("algorithm");
  const key = findKey(keys, header.kid);
  if (!key) return refused("unknown_key");
  if (!(await isSigned(read, key))) return refused("signature");
  if (claims.aud !== "application") return refused("audience");
  if (claims.iss !== issuer) return refused("issuer");
  const devices = [hwid, await digest(hwid)].map((id) => digest(`${claims.sub}\n${id}`));
  if (!(await Promise.all(devices)).includes(claims.device)) return refused("device");
  const time = fresh ? Math.max(now, claims.iat) : now;
  if (time < claims.iat - leewaySeconds) return refused("not_yet_valid");
  if (time < latestSeen - leewaySeconds) return refused("clock");
  if (time >= claims.grace_until) return refused("ended");
  return { verdict: time < claims.exp ? "valid" : "grace", reason: null };
}

/** The features of a token or a `license.lic` that passed {@link checkToken}, as far as they haven't ended, sorted. */
export function featuresOf(token: string, now: number): string[] {
  const features = readToken(token)?.claims.features ?? {};
  return Object.keys(features)
    .filter((name) => now < Number(features[name]))
    .toSorted();
}

export function createLicence(options: Options) {
  const { keeper, hwid, version } = options;
  const { fetch: ask = fetch, now = Date.now, wait = sleep } = options;
  const base = new URL("/api/app/v1/", options.shop).href;
  const issuers = options.issuers?.length ? options.issuers : [new URL(options.shop).origin];
  const builtIn = options.keys?.length ? options.keys : null;
  const seconds = () => Math.floor(now() / 1000);

  /** Null if the shop can't be reached, so that an outage never counts as "invalid". */
  const call = async (path: string, body?: object, bearer?: string): Promise<Answer> => {
    try {
      const response = await ask(base + path, {
        method: body ? "POST" : "GET",
        headers: {
          ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
          ...(body ? { "content-type": "application/json" } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        redirect: "error",
        signal: AbortSignal.timeout(timeoutMilliseconds),
      });
      // a proxy or another server may answer with any JSON
      return { status: response.status, body: Object(await response.json().catch(() => null)) as Fields };
    } catch {
      return null;
    }
  };

  let known: Kept = { accessToken: null, token: null, keys: [], latestSeen: 0, ahead: 0 };
  /** What could not be stored counts until the application ends: no verdict depends on whether it could. */
  let unstored: Partial<Kept> = {};
  let storing = Promise.resolve();
  const stored = async (): Promise<Kept> => {
    const { accessToken, token, keys, latestSeen, ahead } = fieldsOf((await keeper.read()) ?? "");
    return (known = {
      accessToken: typeof accessToken === "string" ? accessToken : null,
      token: typeof token === "string" ? token : null,
      keys: Array.isArray(keys) ? keys.map((key) => Object(key) as PublicKey) : [],
      latestSeen: Number.isSafeInteger(latestSeen) ? Number(latestSeen) : 0,
      ahead: Number.isSafeInteger(ahead) ? Math.max(0, Number(ahead)) : 0,
    });
  };
  const recall = async (): Promise<Kept> => ({ ...(await stored().catch(() => known)), ...unstored });
  const store = async () => {
    const changed = unstored;
    known = { ...(await stored()), ...changed };
    await keeper.write(JSON.stringify(known));
    if (unstored === changed) unstored = {};
  };
  const keep = (changed: Partial<Kept>) => {
    unstored = { ...unstored, ...changed };
    // what fails is tried again with the next change
    return (storing = storing.then(store).catch(() => {}));
  };
  const bearer = async () => (await recall()).accessToken || options.token;

  const verify = async (token: string, { keys, latestSeen, ahead }: Kept, fresh: boolean): Promise<Check> => {
    // what the shop says now counts even if the clock once was ahead
    const [now, seen] = fresh ? [seconds(), 0] : [seconds() + ahead, latestSeen];
    let checked: Check = { verdict: "refused", reason: "issuer" };
    for (const issuer of issuers) {
      if (checked.reason !== "issuer") break;
      checked = await checkToken(token, builtIn ?? keys, issuer, hwid, now, seen, fresh);
    }
    return checked;
  };

  /** The token of the latest verdict, if it was VALID; the latest time since, and how far the shop's clock is ahead. */
  let current: { token: string; from: number; ahead: number } | null = null;
  // oxlint-disable-next-line eslint/max-params -- each is another kind of thing
  const conclude = (checked: Check, token: string, online: boolean, ahead: number): Offline => {
    const claims = readToken(token)?.claims;
    if (checked.verdict === "refused" || !claims) {
      current = null;
      return { ...unverified, why: checked.reason ?? "malformed" };
    }
    const from = seconds() + ahead;
    current = { token, from, ahead };
    const { type, expires } = claims.entitlement;
    return {
      code: "VALID",
      online,
      grace: checked.verdict === "grace",
      type,
      level: claims.level ?? type,
      features: featuresOf(token, from),
      expiresAt: dateOf(expires),
      offlineUntil: new Date(claims.grace_until * 1000),
      signIn: false,
      fault: null,
    };
  };

  /** Stores a token of the shop, or a file, and the keys that verify it, if it is for this machine. */
  const takeIn = async (token: string, online: boolean): Promise<Offline> => {
    const kept = await recall();
    const kid = readToken(token)?.header.kid;
    if (!builtIn && kid !== undefined && !findKey(kept.keys, kid)) {
      const fetched = (await call("keys"))?.body["keys"];
      if (Array.isArray(fetched)) kept.keys = fetched.map((key) => Object(key) as PublicKey);
    }
    const { keys, latestSeen } = kept;
    let { ahead } = kept;
    const checked = await verify(token, kept, online);
    const iat = readToken(token)?.claims.iat ?? 0;
    if (checked.verdict !== "refused" && online) {
      // less what was added to the clock, which may have been put right since
      const seen = Math.max(latestSeen - ahead, iat);
      ahead = Math.max(0, iat - seconds());
      await keep({ token, keys, latestSeen: seen, ahead });
    } else if (checked.verdict !== "refused") {
      await keep({ token, keys, latestSeen: Math.max(latestSeen, seconds() + ahead) });
    } else if (online) {
      // a later version of the application knows the key or the address; until then the stored token counts
      const before = await checkOffline();
      if (before.code === "VALID") return before;
    } else {
      // a file that is refused changes nothing of what stands
      return { ...unverified, why: checked.reason };
    }
    return conclude(checked, token, online, ahead);
  };

  /** Checks the stored token, without the network. */
  const checkOffline = async (): Promise<Offline> => {
    const kept = await recall();
    const { token, latestSeen, ahead } = kept;
    if (token === null) {
      current = null;
      return { ...unverified, why: "no_token" };
    }
    const checked = await verify(token, kept, false);
    const now = seconds() + ahead;
    if (checked.verdict !== "refused" && now > latestSeen) await keep({ latestSeen: now });
    return conclude(checked, token, false, ahead);
  };

  const askShop = async (path: string, body: object): Promise<Verdict> => {
    const token = await bearer();
    if (!token) {
      const ended = (await recall()).accessToken === "";
      const verdict = await checkOffline();
      return { ...verdict, signIn: ended || verdict.code === "UNVERIFIED" };
    }
    const answer = await call(path, body, token);
    const fresh = answer?.body["code"] === "VALID" ? Object(answer.body["data"])["token"] : null;
    if (typeof fresh === "string") return takeIn(fresh, true);
    // the sign-in has ended, which says nothing about the licence
    if (answer?.status === 401 && answer.body["code"] === "NO_LICENSE") {
      await keep({ accessToken: "" });
      return { ...(await checkOffline()), signIn: true };
    }
    const refused = answer && refusalIn(answer.body);
    if (!refused) return { ...(await checkOffline()), fault: faultIn(answer) };
    // otherwise a revoked licence would come back offline
    current = null;
    await keep({ token: null });
    return refused;
  };

  return {
    /**
     * Signs in through the customer's browser (RFC 8628): `show` gets the code to show, and this ends with what
     * became of it. `stop` ends it early.
     */
    async signIn(machine: Machine, show: (code: SignInCode) => void, stop = () => false): Promise<SignedIn> {
      const asked = await call("device/code", { hwid, version, ...shown(machine) });
      if (asked?.status === 404) return "unsupported";
      if (asked?.status === 429) return "slow_down";
      if (faultIn(asked)) return "invalid_request";
      const { device_code, user_code, verification_uri, verification_uri_complete, ...rest } =
        asked?.body ?? {};
      if (asked?.status !== 200 || typeof device_code !== "string") return "unavailable";
      const ends = seconds() + (Number(rest["expires_in"]) || 900);
      show({
        userCode: String(user_code),
        verificationUri: String(verification_uri),
        verificationUriComplete: String(verification_uri_complete ?? verification_uri),
        expiresAt: new Date(ends * 1000),
      });
      let interval = Math.max(1, Number(rest["interval"]) || 5);
      const grant_type = "urn:ietf:params:oauth:grant-type:device_code";
      for (;;) {
        await wait(interval * 1000);
        if (stop()) return "stopped";
        if (seconds() >= ends) return "expired_token";
        const answer = await call("device/token", { grant_type, device_code });
        const { access_token, error } = answer?.body ?? {};
        if (answer?.status === 200 && typeof access_token === "string") {
          await keep({ accessToken: access_token });
          return "signed_in";
        }
        if (error === "access_denied") return error;
        if (error === "expired_token" || error === "invalid_grant") return "expired_token";
        if (error === "invalid_request" || error === "unsupported_grant_type") return "invalid_request";
        if (error === "slow_down") interval += 5;
        // RFC 8628 §3.5: poll less often when the shop does not answer
        else if (error !== "authorization_pending") interval = Math.min(interval * 2, 60);
      }
    },
    /** Binds this machine, or confirms that it is bound. Call it when the customer has signed in. */
    activate: (machine: Machine) => askShop("activate", { hwid, version, ...shown(machine) }),
    /** Asks the shop, and falls back to the stored token. Call it at every start and about once a day. */
    check: () => askShop("validate", { hwid, version }),
    checkOffline,
    /** Whether this computer has a feature now, by the latest verdict. Ask after `check`; before it the answer is no. */
    has(feature: string): boolean {
      if (!current) return false;
      current.from = Math.max(current.from, seconds() + current.ahead);
      return featuresOf(current.token, current.from).includes(feature);
    },
    /** Releases this machine. */
    async deactivate(): Promise<boolean> {
      const token = await bearer();
      const answer = token ? await call("deactivate", { hwid }, token) : null;
      if (answer?.status !== 200 || answer.body["code"] !== "NOT_ACTIVATED") return false;
      current = null;
      await keep({ token: null });
      return true;
    },
    /** Whose licence this is; null if the shop can't be reached or does not say. */
    async me(): Promise<Me | null> {
      const token = await bearer();
      const answer = token ? await call("me", undefined, token) : null;
      const { username, offer, type, expires_at, devices, ...levels } = dataOf(answer) as Partial<Me> &
        Fields;
      if (typeof username !== "string" || typeof devices !== "object") return null;
      const expiresAt = typeof expires_at === "string" ? new Date(expires_at) : null;
      // an older shop has no levels
      const { level = null, features = [] } = levels;
      return { username, offer: offer ?? null, type: type ?? null, level, features, expiresAt, devices };
    },
    /** The newest release for a system, with absolute URLs; null if there is none or the shop can't be reached. */
    async update(
      system: "windows" | "mac" | "linux",
      channel: "latest" | "beta" | "alpha" = "latest",
    ): Promise<Update | null> {
      const token = await bearer();
      const query = new URLSearchParams({ version, channel, hwid_hash: await digest(hwid) });
      const answer = token ? await call(`update/${system}?${query}`, undefined, token) : null;
      const found = dataOf(answer) as Update;
      if (!Array.isArray(found.files)) return null;
      const files = found.files.map((file) => ({ ...file, url: new URL(file.url, `${base}update/`).href }));
      return { ...found, files };
    },
    /** For a computer that never goes online: what its owner takes to the shop's page to get a `license.lic`. */
    offlineRequest: async (machine: Machine): Promise<string> =>
      toBase64url(utf8(JSON.stringify({ hwid_hash: await digest(hwid), ...shown(machine) }))),
    /** Takes in the text of a `license.lic`; from then on `check` and `checkOffline` go by it. */
    useFile: (text: string) => takeIn(text, false),
  };
}

const unverified = { code: "UNVERIFIED", signIn: false, fault: null } as const;
const refused = (reason: Reason): Check => ({ verdict: "refused", reason });
const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const utf8 = (text: string) => new TextEncoder().encode(text);
const dateOf = (seconds: number | null) => (seconds === null ? null : new Date(seconds * 1000));

/** A machine may be named anything: what the shop shows of it has 1 to 64 characters. */
const shown = ({ label, os }: Machine) => ({ label: cut(label) || "A computer", os: cut(os) || "Unknown" });
const cut = (text: string) => {
  const start = text.trim().slice(0, 64);
  const line = start.replace(/\p{Surrogate}/gu, "");
  return /[^\p{C}\p{Z}]/u.test(line) ? line : "";
};

/** What a call brought; empty unless it was answered well. */
const dataOf = (answer: Answer): unknown =>
  Object(answer?.status === 200 && answer.body["code"] === "VALID" ? answer.body["data"] : null);

/** A question that is wrong, or to a server that isn't a shop. */
function faultIn(answer: Answer): string | null {
  if (!answer || ![400, 404, 405, 413, 415].includes(answer.status)) return null;
  return [answer.status, answer.body["code"], answer.body["field"]].join(" ").trim();
}

function refusalIn(body: Fields): Refused | null {
  const { code, available_at, minimum_version } = body;
  if (typeof code !== "string" || !refusals.test(code)) return null;
  return {
    code: code as Refused["code"],
    message: String(body["data"]),
    ...(typeof available_at === "string" ? { availableAt: new Date(available_at) } : {}),
    ...(typeof minimum_version === "string" ? { minimumVersion: minimum_version } : {}),
  };
}

function fieldsOf(text: string): Fields {
  try {
    return Object(JSON.parse(text)) as Fields;
  } catch {
    return {};
  }
}

type Header = { alg: string; kid?: string };
type Token = { header: Header; claims: Claims; signed: string; signature: Uint8Array<ArrayBuffer> };

/** A token's parts; null unless it is exactly what the shop writes: three parts, canonical, with all claims. */
function readToken(text: string): Token | null {
  const token = withoutArmour(text);
  const [head = "", payload = "", last = "", ...more] = token.split(".");
  if (token.length > longestToken || token === `${head}.${payload}` || more.length > 0) return null;
  const [header, claims, signature] = [readPart(head), readPart(payload), fromBase64url(last)];
  if (!header || !claims || !signature) return null;
  const { alg, kid, crit } = header;
  if (typeof alg !== "string" || !["string", "undefined"].includes(typeof kid) || crit !== undefined)
    return null;
  const { iss, aud, sub, device, iat, exp, grace_until, entitlement, level = "", features = {} } = claims;
  const { type, expires } = Object(entitlement) as Fields;
  if (![iss, aud, sub, device, type, level].every((one) => typeof one === "string")) return null;
  if (Object(features) !== features || Array.isArray(features)) return null;
  const times = [iat, exp, grace_until, expires === null ? 0 : expires, ...Object.values(features as Fields)];
  if (!times.every((one) => typeof one === "number")) return null;
  return { header: header as Header, claims: claims as Claims, signed: `${head}.${payload}`, signature };
}

/** The token in a `license.lic`: its lines between the first and the last, however they are broken. */
function withoutArmour(text: string): string {
  const lines = text.replace(/^\uFEFF/, "").split(/[\r\n]/);
  const filled = lines.map((line) => line.replace(/^[ \t]+|[ \t]+$/g, "")).filter((line) => line !== "");
  if (filled.shift() !== "-----BEGIN LICENSE FILE-----") return text;
  return filled.pop() === "-----END LICENSE FILE-----" ? filled.join("") : "";
}

function readPart(part: string): Fields | null {
  try {
    const value = readJson(decoder.decode(fromBase64url(part) ?? utf8("")));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : null;
  } catch {
    return null;
  }
}

/** JSON that every language reads alike: no name twice, whole numbers that are exact, not deeply nested. */
function readJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  const withoutStrings = text.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  const names = withoutStrings.match(/""\s*:/g)?.length ?? 0;
  if (/\d[.eE]/.test(withoutStrings) || namesIn(value, 1) !== names) throw new SyntaxError("not plain JSON");
  return value;
}

function namesIn(value: unknown, depth: number): number {
  if (typeof value === "string" && /\p{Surrogate}/u.test(value)) throw new SyntaxError("half a character");
  if (typeof value === "number" && !Number.isSafeInteger(value)) throw new SyntaxError("not exact");
  if (typeof value !== "object" || value === null) return 0;
  if (depth > deepestJson) throw new SyntaxError("too deep");
  const names = Array.isArray(value) ? [] : Object.keys(value);
  const inside = [...names, ...Object.values(value)].map((one) => namesIn(one, depth + 1));
  return inside.reduce((sum, count) => sum + count, names.length);
}

const findKey = (keys: readonly PublicKey[], id: string | undefined) =>
  keys.find((key) => id !== undefined && key.kid === id && isEd25519(key));

const isEd25519 = ({ kty, crv, x }: PublicKey) =>
  kty === "OKP" && crv === "Ed25519" && typeof x === "string" && fromBase64url(x)?.length === 32;

async function isSigned({ signed, signature }: Token, { kty, crv, x }: PublicKey): Promise<boolean> {
  try {
    const key = await crypto.subtle.importKey("jwk", { kty, crv, x }, "Ed25519", false, ["verify"]);
    return signature.length === 64 && (await crypto.subtle.verify("Ed25519", key, signature, utf8(signed)));
  } catch {
    return false;
  }
}

const digest = async (text: string) =>
  toBase64url(new Uint8Array(await crypto.subtle.digest("SHA-256", utf8(text))));

const toBase64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** Null unless the text is the one form of its bytes: no padding, no other letters, no stray bits. */
function fromBase64url(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return null;
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  return toBase64url(bytes) === text ? bytes : null;
}
