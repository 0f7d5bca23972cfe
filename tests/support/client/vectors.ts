/** `bun run client-vectors` writes src/client/vectors.json anew: what every client has to answer. The same bytes each time. */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";
import { awkwardCases } from "./awkward-vectors";
import { armoured, base64url, type Case, type Maker } from "./vector";

const issuer = "https://shop.example";
const audience = "application";
const account = "01a1fd8b-79b9-74fd-bc53-ed27aa3bc428";
const hwid = "machine-0001";
const iat = 1_795_255_138;
const [day, exp, graceUntil] = [86_400, iat + 7 * 86_400, iat + 21 * 86_400];

const hash = (text: string) => createHash("sha256").update(text).digest("base64url");

/** PKCS #8 of Ed25519 (RFC 8410), before the 32 bytes that are the key. */
const pkcs8 = Buffer.from("302e020100300506032b657004220420", "hex");
const keyOf = (seed: string): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([pkcs8, createHash("sha256").update(seed).digest()]),
    format: "der",
    type: "pkcs8",
  });
const jwkOf = (key: KeyObject, kid: string) => {
  const { x = "" } = createPublicKey(key).export({ format: "jwk" });
  return { kty: "OKP", crv: "Ed25519", x, kid, use: "sig", alg: "EdDSA" };
};
const [current, retired, foreign] = ["current", "retired", "foreign"].map(keyOf) as [
  KeyObject,
  KeyObject,
  KeyObject,
];
const currentJwk = jwkOf(current, "2026-11");

const claims = {
  iss: issuer,
  aud: audience,
  sub: account,
  iat,
  exp,
  grace_until: graceUntil,
  device: hash(`${account}\n${hwid}`),
  entitlement: { type: "premium", expires: null as number | null },
};
const ofFile = { ...claims, device: hash(`${account}\n${hash(hwid)}`), exp: iat + 30 * day };
const fileClaims = { ...ofFile, grace_until: ofFile.exp };
const header = { alg: "EdDSA", kid: currentJwk.kid, typ: "JWT" };

/** Signs a token of texts that need not be JSON. */
const signed: Maker["signed"] = ({
  head = JSON.stringify(header),
  payload = JSON.stringify(claims),
  key,
}) => {
  const text = `${base64url(head)}.${base64url(payload)}`;
  return `${text}.${sign(null, Buffer.from(text), key ?? current).toString("base64url")}`;
};
const token = signed({});
const changed = (other: object) => signed({ payload: JSON.stringify({ ...claims, ...other }) });
const [head = "", payload = "", signature = ""] = token.split(".");

const asked = (name: string, given: Partial<Case>): Case => ({
  name,
  token,
  hwid,
  now: iat + 60,
  latest_seen: iat,
  fresh: false,
  expect: "valid",
  reason: null,
  features: [],
  ...given,
});
const valid = (name: string, given: Partial<Case> = {}) => asked(name, given);
const grace = (name: string, given: Partial<Case>) => asked(name, { expect: "grace", ...given });
const refused = (reason: string, name: string, given: Partial<Case>) =>
  asked(name, { expect: "refused", reason, ...given });

const file = signed({ payload: JSON.stringify(fileClaims) });

const timeCases = [
  valid("valid"),
  valid("valid to its last second", { now: exp - 1 }),
  grace("in grace from the second in which it expires", { now: exp }),
  grace("in grace", { now: iat + 8 * day }),
  grace("in grace to its last second", { now: graceUntil - 1 }),
  refused("ended", "past grace from its last second", { now: graceUntil }),
  refused("ended", "past grace", { now: iat + 22 * day }),
  refused("ended", "expired, without grace", { token: changed({ exp: iat + 9, grace_until: iat + 9 }) }),
  refused("ended", "its grace ends before it expires", { token: changed({ grace_until: iat + 30 }) }),
  valid("five minutes before it was issued", { now: iat - 300, latest_seen: 0 }),
  refused("not_yet_valid", "not yet valid", { now: iat - 301, latest_seen: 0 }),
  refused("not_yet_valid", "not yet valid and the clock turned back", { now: iat - 301 }),
  valid("the clock turned back by five minutes", { now: iat + day, latest_seen: iat + day + 300 }),
  refused("clock", "the clock turned back", { now: iat + day, latest_seen: iat + day + 301 }),
  refused("clock", "the clock turned back, and past grace", {
    now: graceUntil,
    latest_seen: graceUntil + 301,
  }),
  valid("nothing was seen before", { latest_seen: 0 }),
];

const freshCases = [
  valid("fresh, with the clock six minutes behind", { now: iat - 360, fresh: true }),
  valid("fresh, with the clock two hours behind", { now: iat - 7200, fresh: true }),
  valid("fresh, with the clock at zero", { now: 0, latest_seen: 0, fresh: true }),
  valid("fresh, with the clock right", { fresh: true }),
  valid("fresh, with the clock behind and something seen five minutes after it", {
    now: iat - 7200,
    latest_seen: iat + 300,
    fresh: true,
  }),
  refused("clock", "fresh, with the clock behind and something seen later", {
    now: iat - 7200,
    latest_seen: iat + 301,
    fresh: true,
  }),
  grace("fresh, with the clock ahead of its end", { now: exp, fresh: true }),
  refused("ended", "fresh, with the clock past its grace", { now: graceUntil, fresh: true }),
  refused("ended", "fresh, and issued after its own end", {
    token: changed({ exp: iat, grace_until: iat }),
    now: iat - 7200,
    fresh: true,
  }),
  refused("device", "fresh, of another device", { hwid: "machine-0002", now: iat - 7200, fresh: true }),
  refused("not_yet_valid", "kept, with the clock two hours behind", { now: iat - 7200 }),
];

const deviceCases = [
  valid("the device in an offline file's form", { token: signed({ payload: JSON.stringify(ofFile) }) }),
  valid("a hardware ID that is not ASCII", {
    token: changed({ device: hash(`${account}\nRechner Süd 東京 🖥`) }),
    hwid: "Rechner Süd 東京 🖥",
  }),
  refused("device", "wrong device", { hwid: "machine-0002" }),
  refused("device", "an offline file of another device", { token: file, hwid: "machine-0002" }),
  refused("device", "the hash of the hardware ID in place of the hardware ID", { hwid: hash(hwid) }),
  refused("device", "the device of another account", { token: changed({ sub: account.replace("0", "1") }) }),
  refused("device", "the device without its account", { token: changed({ device: hash(hwid) }) }),
  refused("device", "the device with padding", { token: changed({ device: `${claims.device}=` }) }),
  refused("device", "wrong device and past grace", { hwid: "machine-0002", now: graceUntil }),
];

const fileCases = [
  valid("an offline file", { token: armoured(file) }),
  valid("an offline file without its armour", { token: file }),
  valid("an offline file on its last day", { token: armoured(file), now: fileClaims.exp - 1 }),
  refused("ended", "an offline file that has ended, which has no grace", {
    token: armoured(file),
    now: fileClaims.exp,
  }),
  refused("clock", "an offline file, with the clock turned back", {
    token: armoured(file),
    now: iat + day,
    latest_seen: iat + 2 * day,
  }),
  valid("an armoured token of the other form", { token: armoured(token) }),
];

const ends = { export: iat + day, share: graceUntil };
const unlocks = (features: unknown) => changed({ level: "team", features });
const unlocking = unlocks(ends);
const slugs = Array.from({ length: 64 }, (_, at) => `${String(at).padStart(2, "0")}-${"x".repeat(29)}`);

const featureCases = [
  valid("of an older shop, without a level and features", { token: changed({}), now: iat + 61 }),
  valid("features", { token: unlocking, features: ["export", "share"] }),
  valid("a feature to its last second", {
    token: unlocking,
    now: ends.export - 1,
    features: ["export", "share"],
  }),
  valid("a feature that has ended", { token: unlocking, now: ends.export, features: ["share"] }),
  grace("a feature in grace", { token: unlocking, now: exp, features: ["share"] }),
  refused("ended", "features past grace", { token: unlocking, now: graceUntil }),
  refused("device", "features of another device", { token: unlocking, hwid: "machine-0002" }),
  valid("no features", { token: unlocks({}) }),
  valid("a feature that every object of JavaScript has", {
    token: unlocks({ constructor: exp }),
    features: ["constructor"],
  }),
  valid("as many features as a shop may have, with the longest names", {
    token: unlocks(Object.fromEntries(slugs.map((slug) => [slug, graceUntil]))),
    features: slugs,
  }),
  valid("an offline file with features", {
    token: armoured(signed({ payload: JSON.stringify({ ...fileClaims, level: "team", features: ends }) })),
    now: iat + 2 * day,
    features: ["share"],
  }),
  ...[null, "export", ["export"], 7].map((features) =>
    refused("malformed", `features are ${JSON.stringify(features)}`, { token: unlocks(features) }),
  ),
  ...[null, "never", true, [exp]].map((end) =>
    refused("malformed", `a feature ends at ${JSON.stringify(end)}`, { token: unlocks({ export: end }) }),
  ),
  ...[null, 7, ["team"]].map((level) =>
    refused("malformed", `the level is ${JSON.stringify(level)}`, { token: changed({ level }) }),
  ),
];

const flipped = (text: string, at: number) =>
  text.slice(0, at) + (text[at] === "A" ? "B" : "A") + text.slice(at + 1);

const signatureCases = [
  refused("signature", "tampered payload", {
    token: `${head}.${base64url(JSON.stringify({ ...claims, exp: exp + 365 * day }))}.${signature}`,
  }),
  refused("signature", "tampered header", {
    token: `${base64url(JSON.stringify({ ...header, typ: "jwt" }))}.${payload}.${signature}`,
  }),
  refused("signature", "tampered signature", { token: `${head}.${payload}.${flipped(signature, 7)}` }),
  refused("signature", "no signature", { token: `${head}.${payload}.` }),
  refused("signature", "half a signature", { token: `${head}.${payload}.${signature.slice(0, 42)}A` }),
  refused("signature", "the signature twice", {
    token: `${head}.${payload}.${Buffer.concat([Buffer.from(signature, "base64url"), Buffer.from(signature, "base64url")]).toString("base64url")}`,
  }),
  refused("signature", "a signature of zeros", { token: `${head}.${payload}.${"A".repeat(86)}` }),
  refused("signature", "the signature with the group's order added", {
    token: `${head}.${payload}.${withOrderAdded(signature)}`,
  }),
  refused("signature", "signed by another key under a known id", { token: signed({ key: foreign }) }),
  refused("signature", "a key that is no point of the curve", {
    token: signed({ head: JSON.stringify({ ...header, kid: "off-curve" }) }),
  }),
  valid("signed by a retired key that is still in the set", {
    token: signed({ head: JSON.stringify({ ...header, kid: "2026-05" }), key: retired }),
  }),
  ...["2019-01", "short", "secret", "agreement", "", "__proto__"].map((kid) =>
    refused("unknown_key", `unknown kid: ${kid || "empty"}`, {
      token: signed({ head: JSON.stringify({ ...header, kid }) }),
    }),
  ),
  refused("unknown_key", "no kid", { token: signed({ head: '{"alg":"EdDSA"}' }) }),
  ...["none", "HS256", "ES256", "Ed25519", "eddsa", ""].map((alg) =>
    refused("algorithm", `wrong alg: ${alg || "empty"}`, {
      token: signed({ head: JSON.stringify({ ...header, alg }) }),
    }),
  ),
  refused("algorithm", "alg none, without kid and signature", {
    token: `${base64url('{"alg":"none"}')}.${payload}.`,
  }),
  refused("audience", "wrong audience", { token: changed({ aud: "webhooks" }) }),
  refused("audience", "wrong audience and issuer", { token: changed({ aud: "", iss: "" }) }),
  refused("issuer", "wrong issuer", { token: changed({ iss: "https://other.example" }) }),
  refused("issuer", "the issuer with a slash", { token: changed({ iss: `${issuer}/` }) }),
  refused("issuer", "wrong issuer and device", {
    token: changed({ iss: "https://other.example" }),
    hwid: "machine-0002",
  }),
];

/** The same signature to a library that does not bound its second half (RFC 8032 §5.1.7). */
function withOrderAdded(text: string): string {
  const bytes = Buffer.from(text, "base64url");
  const order = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n;
  let sum = BigInt(`0x${Buffer.from(bytes.subarray(32).toReversed()).toString("hex")}`) + order;
  for (let at = 32; at < 64; at += 1, sum >>= 8n) bytes[at] = Number(sum & 255n);
  return bytes.toString("base64url");
}

const x = (bytes: Buffer) => bytes.toString("base64url");
const keys = [
  currentJwk,
  jwkOf(retired, "2026-05"),
  // keys that no client may use, with ids that tokens name
  { ...currentJwk, kid: "off-curve", x: x(Buffer.from(`02${"00".repeat(31)}`, "hex")) },
  { ...currentJwk, kid: "short", x: x(Buffer.alloc(31, 1)) },
  { ...currentJwk, kid: "secret", kty: "oct" },
  { ...currentJwk, kid: "agreement", crv: "X25519" },
  { ...currentJwk, kid: undefined },
];

const maker: Maker = { claims, header, file, token, iat, valid, refused, signed, changed };
const cases = [
  ...timeCases,
  ...freshCases,
  ...deviceCases,
  ...fileCases,
  ...featureCases,
  ...signatureCases,
  ...awkwardCases(maker),
];

/** A `license.lic` of the shop in the vectors, as it gives it for a request. */
export const fileFor = (
  hwidHash: string,
  { from, days, ...levels }: { from: number; days: number; features?: Record<string, number> },
): string => {
  const device = hash(`${account}\n${hwidHash}`);
  const end = from + days * day;
  return armoured(changed({ iat: from, exp: end, grace_until: end, device, ...levels }));
};

/** The file's text: one line a case, so that a review sees which changed. */
export const vectorsText = (): string =>
  `{"issuer":${JSON.stringify(issuer)},"audience":${JSON.stringify(audience)},"keys":[\n${linesOf(keys)}\n],"cases":[\n${linesOf(cases)}\n]}\n`;
const linesOf = (items: object[]) => items.map((item) => JSON.stringify(item)).join(",\n");

export const vectorsPath = new URL("../../../src/client/vectors.json", import.meta.url).pathname;

if (import.meta.main) await Bun.write(vectorsPath, vectorsText());
