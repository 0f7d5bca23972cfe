import { expect, test } from "bun:test";
import { vectorsPath, vectorsText } from "../support/client/vectors";

const text = await Bun.file(vectorsPath).text();
const { audience, cases } = JSON.parse(text) as {
  audience: string;
  cases: { name: string; token: string; expect: string; reason: string | null }[];
};

test("vectors.json is what `bun run client-vectors` writes, the same bytes each time", () => {
  expect(text === vectorsText()).toBe(true);
  expect(audience).toBe("application");
});

test("no two cases have one name or ask the same", () => {
  expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
  const asked = cases.map((one) => JSON.stringify({ ...one, name: null }));
  expect(asked.filter((question, at) => asked.indexOf(question) < at)).toEqual([]);
});

test("every verdict and every reason has cases, and only what is refused has a reason", () => {
  const reasons = ["malformed", "algorithm", "unknown_key", "signature", "audience", "issuer", "device"];
  reasons.push("not_yet_valid", "clock", "ended");
  expect(new Set(cases.flatMap(({ reason }) => reason ?? []))).toEqual(new Set(reasons));
  expect(new Set(cases.map((one) => one.expect))).toEqual(new Set(["valid", "grace", "refused"]));
  expect(cases.filter((one) => (one.expect === "refused") !== (one.reason !== null))).toEqual([]);
});

test("the cases that authors look for are there", () => {
  const names = cases.map(({ name }) => name);
  const wanted = `valid, in grace, past grace, expired; without grace, not yet valid, tampered payload, tampered signature,
    wrong device, the device in an offline file's form, wrong audience, wrong issuer, truncated in the signature,
    the clock turned back, an offline file`;
  for (const name of wanted.split(/,\s+/)) expect(names).toContain(name.replace(";", ","));
  for (const start of ["unknown kid", "wrong alg", "non-canonical base64"])
    expect(names.filter((name) => name.startsWith(start)).length).toBeGreaterThan(1);
});
