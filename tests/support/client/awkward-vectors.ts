/** Tokens that two JSON or base64 libraries read differently, all of them signed by the shop's key where that matters. */
import { armoured, base64url, type Case, type Maker } from "./vector";

export const awkwardCases = (maker: Maker): Case[] => [
  ...encodingCases(maker),
  ...armourCases(maker),
  ...fieldCases(maker),
  ...jsonCases(maker),
  ...numberCases(maker),
  ...textCases(maker),
];

const malformed = ({ refused }: Maker) => {
  return (name: string, token: string) => refused("malformed", name, { token });
};

/** The last letter of base64 may hold bits that stand for nothing: the same bytes, written otherwise. */
const withStrayBits = (part: string) => {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return part.slice(0, -1) + alphabet[alphabet.indexOf(part.at(-1) ?? "") + 1];
};

function encodingCases(maker: Maker): Case[] {
  const { token } = maker;
  const bad = malformed(maker);
  const [head = "", payload = "", signature = ""] = token.split(".");
  const padded = maker.signed({ payload: `${JSON.stringify(maker.claims)} ` }).split(".")[1] ?? "";
  return [
    bad(
      "non-canonical base64: stray bits in the signature",
      `${head}.${payload}.${withStrayBits(signature)}`,
    ),
    bad("non-canonical base64: stray bits in the payload", `${head}.${withStrayBits(padded)}.${signature}`),
    bad("non-canonical base64: padding", `${token}==`),
    bad("non-canonical base64: letters of the other alphabet", token.replace(/[-_]/, "+")),
    bad("non-canonical base64: one letter too many", `${head}.${payload}.${signature}AAA`),
    bad("a line feed at the end", `${token}\n`),
    bad("a space at the start", ` ${token}`),
    bad("a line feed inside", `${token.slice(0, 64)}\n${token.slice(64)}`),
    bad("a byte order mark before a token", `\uFEFF${token}`),
    bad("a zero at the end", `${token}\u0000`),
    bad("letters that look like base64", token.replace("e", "е")),
    bad("full-width digits", token.replace(/\d/, "１")),
    bad("truncated in the signature", token.slice(0, -1)),
    bad("truncated in the payload", token.slice(0, head.length + 40)),
    bad("truncated before the signature's dot", `${head}.${payload}`),
    bad("the header alone", head),
    bad("empty", ""),
    bad("dots alone", ".."),
    bad("without a header", `.${payload}.${signature}`),
    bad("without a payload", `${head}..${signature}`),
    bad("a fourth part", `${token}.${signature}`),
    bad("an empty fourth part", `${token}.`),
    bad("the token twice", `${token}${token}`),
    bad("five parts, as an encrypted token has", `${head}.${payload}.${signature}.${payload}.${signature}`),
    bad("nonsense", "nonsense"),
    bad("JSON in place of a token", JSON.stringify({ token })),
    bad("longer than any token", maker.changed({ more: "x".repeat(8192) })),
  ];
}

function armourCases(maker: Maker): Case[] {
  const { file, valid } = maker;
  const bad = malformed(maker);
  const whole = armoured(file);
  const good = (name: string, token: string) => valid(`an offline file: ${name}`, { token });
  const spoilt = (name: string, token: string) => bad(`an offline file: ${name}`, token);
  return [
    good("CRLF", armoured(file, { end: "\r\n" })),
    good("CR alone", armoured(file, { end: "\r" })),
    good("folded otherwise", armoured(file, { width: 20 })),
    good("on one line", armoured(file, { width: 9999 })),
    good("blanks around its lines", armoured(file, { end: " \t\n  " })),
    good("empty lines around and inside", `\n\r\n${armoured(file, { end: "\n\n" })}\n\n`),
    good("without a line feed at the end", whole.trimEnd()),
    good("a byte order mark", `\uFEFF${whole}`),
    spoilt("two byte order marks", `\uFEFF\uFEFF${whole}`),
    spoilt("something before it", `Here is your file:\n${whole}`),
    spoilt("something after it", `${whole}Kind regards`),
    spoilt("quoted by a mail program", whole.replaceAll(/^/gm, "> ")),
    spoilt("twice", whole + whole),
    spoilt("without its end", whole.slice(0, whole.indexOf("-----END"))),
    spoilt("its first line alone", "-----BEGIN LICENSE FILE-----"),
    spoilt("empty", armoured("")),
    spoilt("with another last line", whole.replace("END LICENSE", "END LICENCE")),
    spoilt("with another name", whole.replaceAll("LICENSE", "LICENCE")),
    spoilt("a blank inside a line", whole.replace("ey", "e y")),
    spoilt("a no-break space after a line", whole.replace("\n", "\u00A0\n")),
    spoilt("a vertical tab between lines", whole.replaceAll("\n", "\v")),
    spoilt("a last line twice", `${whole}-----END LICENSE FILE-----\n`),
    spoilt("armoured twice", armoured(whole)),
  ];
}

function fieldCases(maker: Maker): Case[] {
  const { claims, header, signed, changed } = maker;
  const bad = malformed(maker);
  const names = ["iss", "aud", "sub", "device", "iat", "exp", "grace_until", "entitlement"];
  const without = names.map((name) => bad(`without ${name}`, changed({ [name]: undefined })));
  const withHeader = (other: object) => signed({ head: JSON.stringify({ ...header, ...other }) });
  const entitled = (entitlement: unknown) => changed({ entitlement });
  const { valid } = maker;
  return [
    ...without,
    ...["iss", "aud", "sub", "device"].flatMap((name) => [
      bad(`${name} is a number`, changed({ [name]: 7 })),
      bad(`${name} is null`, changed({ [name]: null })),
      bad(`${name} is a list`, changed({ [name]: [claims[name]] })),
    ]),
    ...["iat", "exp", "grace_until"].flatMap((name) => [
      bad(`${name} is a text`, changed({ [name]: String(claims[name]) })),
      bad(`${name} is true`, changed({ [name]: true })),
      bad(`${name} is null`, changed({ [name]: null })),
    ]),
    bad("entitlement is null", entitled(null)),
    bad("entitlement is a text", entitled("premium")),
    bad("entitlement is a list", entitled(["premium", null])),
    bad("entitlement without its type", entitled({ expires: null })),
    bad("entitlement without its end", entitled({ type: "premium" })),
    bad("entitlement ends at a text", entitled({ type: "premium", expires: "never" })),
    bad("entitlement ends at false", entitled({ type: "premium", expires: false })),
    valid("entitlement ends at a time", { token: entitled({ type: "premium", expires: 1_900_000_000 }) }),
    valid("claims that nobody knows", { token: changed({ nbf: 1, seats: [1, { a: null }], name: "é" }) }),
    bad("the header without alg", withHeader({ alg: undefined })),
    bad("alg is null", withHeader({ alg: null })),
    bad("alg is a list", withHeader({ alg: ["EdDSA"] })),
    bad("kid is a number", withHeader({ kid: 202_611 })),
    bad("kid is null", withHeader({ kid: null })),
    bad("crit, which no client understands", withHeader({ crit: ["exp"] })),
    bad("the header is a list", signed({ head: "[]" })),
    bad("the payload is null", signed({ payload: "null" })),
    bad("the payload is a text", signed({ payload: '"premium"' })),
    bad("the payload is a list of claims", signed({ payload: JSON.stringify([claims]) })),
    bad("claims under __proto__", signed({ payload: `{"__proto__":${JSON.stringify(claims)}}` })),
    bad("claims by other spellings", signed({ payload: JSON.stringify(claims).replace('"exp"', '"Exp"') })),
  ];
}

function jsonCases(maker: Maker): Case[] {
  const { claims, header, signed, valid, iat } = maker;
  const text = JSON.stringify(claims);
  const bad = malformed(maker);
  const payload = (name: string, other: string) => bad(name, signed({ payload: other }));
  const nested = (depth: number, open: string, close: string) =>
    text.replace(/}$/, `,"more":${open.repeat(depth)}1${close.repeat(depth)}}`);
  return [
    valid("spaces and line feeds between its JSON", {
      token: signed({ payload: ` \r\n\t${JSON.stringify(claims, null, "\t")}\n` }),
    }),
    valid("names written with escapes", { token: signed({ payload: text.replace('"exp"', '"\\u0065xp"') }) }),
    payload("a name twice, the later one longer", text.replace(/}$/, `,"exp":${iat + 9e8}}`)),
    payload("a name twice, the earlier one longer", text.replace(/^{/, `{"exp":${iat + 9e8},`)),
    payload("a name twice, once with escapes", text.replace(/}$/, `,"\\u0065xp":${iat + 9e8}}`)),
    payload("a name twice, further inside", text.replace('"type"', '"type":"free","type"')),
    payload("__proto__ twice", text.replace(/}$/, ',"__proto__":1,"__proto__":1}')),
    bad("alg twice", signed({ head: `{"alg":"none",${JSON.stringify(header).slice(1)}` })),
    valid("what looks like a name, in a text", {
      token: signed({ payload: text.replace(/}$/, ',"more":"\\"exp\\":1,"}') }),
    }),
    valid("nested eight deep", { token: signed({ payload: nested(7, "[", "]") }) }),
    payload("nested nine deep, lists", nested(8, "[", "]")),
    payload("nested nine deep, objects", nested(8, '{"a":', "}")),
    valid("brackets in a text", {
      token: signed({ payload: text.replace(/}$/, `,"more":"${"[{".repeat(99)}"}`) }),
    }),
    payload("a bomb of lists", `${"[".repeat(5000)}${"]".repeat(500)}`),
    payload("a bomb of objects", '{"a":'.repeat(1000)),
    payload("a bomb that is closed", `${"[".repeat(2500)}${"]".repeat(2500)}`),
    payload("a comma too many", text.replace(/}$/, ",}")),
    payload("a comma too few", text.replace(",", " ")),
    payload("single quotes", text.replaceAll('"', "'")),
    payload("names without quotes", text.replace('"exp"', "exp")),
    payload("a comment", text.replace("{", "{/* */")),
    payload("something after it", `${text}x`),
    payload("a second object after it", text + text),
    payload("cut short", text.slice(0, -1)),
    payload("a byte order mark", `\uFEFF${text}`),
    payload("a zero after it", `${text}\u0000`),
    payload("a no-break space before it", `\u00A0${text}`),
    payload("a form feed before it", `\f${text}`),
    payload("True, as Python writes it", text.replace("null", "None")),
    payload("undefined", text.replace("null", "undefined")),
    payload("UTF-16", Buffer.from(text, "utf16le").toString("latin1")),
  ];
}

function numberCases(maker: Maker): Case[] {
  const { claims, iat, signed, valid } = maker;
  const text = JSON.stringify(claims);
  const bad = malformed(maker);
  const grace = String(claims["grace_until"]);
  const until = (number: string) => signed({ payload: text.replace(grace, number) });
  const wrong = [`${grace}.0`, `${grace}.5`, `${grace}e0`, `${grace}E1`, "9".repeat(400)];
  // what one library or another takes for a number, or rounds
  const others = `1e400|-1e400|1.7e9|9007199254740992|9007199254740993|-9007199254740992|18446744073709551616
    |9223372036854775808|NaN|Infinity|-Infinity|0x7fffffff|+1|-|.5|5.|01|-01|1_000|1e|1e+|١٢٣|1 2|--1|0e0|0.0|1n`;
  wrong.push(...others.split(/\s*\|/));
  return [
    ...wrong.map((number) => bad(`grace_until is ${number.slice(0, 24)}`, until(number))),
    valid("grace_until is the largest exact number", { token: until("9007199254740991") }),
    maker.refused("ended", "grace_until is zero", { token: until("0") }),
    maker.refused("ended", "grace_until is minus zero", { token: until("-0") }),
    maker.refused("ended", "grace_until is the least exact number", { token: until("-9007199254740991") }),
    maker.refused("not_yet_valid", "iat is the largest exact number", {
      token: signed({ payload: text.replace(`"iat":${iat}`, '"iat":9007199254740991') }),
    }),
    valid("iat is the least exact number", {
      token: signed({ payload: text.replace(`"iat":${iat}`, '"iat":-9007199254740991') }),
    }),
    bad("a fraction where nobody looks", signed({ payload: text.replace(/}$/, ',"more":[0.5]}') })),
    bad("NaN where nobody looks", signed({ payload: text.replace(/}$/, ',"more":[NaN]}') })),
    bad("a huge number where nobody looks", signed({ payload: text.replace(/}$/, ',"more":{"a":1e999}}') })),
    maker.refused("clock", "latest_seen is far ahead", { latest_seen: 9_007_199_254_740_991 }),
    maker.refused("ended", "now is far ahead", { now: 9_007_199_254_740_991 }),
    maker.refused("not_yet_valid", "now is zero", { now: 0, latest_seen: 0 }),
  ];
}

function textCases(maker: Maker): Case[] {
  const { claims, signed, valid } = maker;
  const text = JSON.stringify(claims);
  const bad = malformed(maker);
  const more = (json: string) => signed({ payload: text.replace(/}$/, `,"more":${json}}`) });
  const bytes = (hex: string) => {
    const [before = "", after = ""] = text.replace(/}$/, ',"more":"|"}').split("|");
    return signed({
      payload: Buffer.concat([Buffer.from(before), Buffer.from(hex, "hex"), Buffer.from(after)]),
    });
  };
  return [
    valid("every escape", { token: more('"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\u6771\\ud83d\\udda5\\u0000"') }),
    valid("text that is not ASCII", { token: more('"é東🖥\u007f\u2028"') }),
    ...['"\\ud83d"', '"\\udda5"', '"\\udda5\\ud83d"', '"\\ud83dx"', '"\\ud83d\\u0041"', '{"\\ud83d":1}'].map(
      (json) => bad(`half a character: ${json}`, more(json)),
    ),
    ...[
      '"\\x41"',
      '"\\u12"',
      '"\\u00zz"',
      '"\\u+123"',
      '"\\u 123"',
      '"\\U00e9"',
      '"\\\'"',
      '"\\"',
      '"open',
    ].map((json) => bad(`a wrong escape: ${json}`, more(json))),
    bad("a line feed in a text", more('"a\nb"')),
    bad("a tab in a text", more('"a\tb"')),
    bad("a zero in a text", more('"a\u0000b"')),
    ...["ff", "80", "c3", "c0af", "e080af", "f08080af", "eda080", "f4908080", "f8a1a1a1a1", "e282"].map(
      (hex) => bad(`bytes that are not UTF-8: ${hex}`, bytes(hex)),
    ),
    valid("the last character of Unicode", { token: bytes("f48fbfbf") }),
    bad(
      "bytes that are not UTF-8, in the header",
      signed({ head: Buffer.from('{"alg":"EdDSA","kid":"\xff"}', "latin1") }),
    ),
    bad("not text at all", `${base64url(Buffer.alloc(40, 200))}.${base64url(Buffer.alloc(40, 200))}.AAAA`),
  ];
}
