import { expect, test } from "bun:test";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSecrets, keptSecretKey, randomToken, tokenHash } from "@/core/secrets/secrets";

const secrets = createSecrets(Buffer.alloc(32, 1));
const other = createSecrets(Buffer.alloc(32, 2));

test("the key file is created once, readable by its owner only", async () => {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-key-"));
  try {
    const made = await keptSecretKey(join(folder, "new"));
    expect(made).toHaveLength(32);
    expect(await keptSecretKey(join(folder, "new"))).toEqual(made);
    expect(await readdir(join(folder, "new"))).toEqual(["secret.key"]);
    expect((await stat(join(folder, "new", "secret.key"))).mode & 0o777).toBe(0o600);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("a sealed value opens only with its key and context, and only if unchanged", () => {
  const sealed = secrets.seal("a seed", "mfa:1");
  expect(secrets.open(sealed, "mfa:1")).toBe("a seed");
  expect(secrets.seal("a seed", "mfa:1")).not.toBe(sealed);
  expect(() => other.open(sealed, "mfa:1")).toThrow();
  expect(() => secrets.open(sealed, "mfa:2")).toThrow();
  const [stamp = "", blob = ""] = sealed.split(".");
  const bytes = Buffer.from(blob, "base64url");
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const spoiled = Buffer.from(bytes);
    spoiled[bit >> 3] = (spoiled[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(() => secrets.open(`${stamp}.${spoiled.toString("base64url")}`, "mfa:1")).toThrow();
  }
  expect(() => secrets.open(`v2.${blob}`, "mfa:1")).toThrow("unknown key version");
});

test("a new secret opens the previous secret's values only while it has that secret", () => {
  const before = createSecrets(Buffer.alloc(32, 1));
  const sealed = before.seal("a seed", "mfa:1");
  const root = Buffer.alloc(32, 2);
  const rotating = createSecrets(root, { successor: true, before });
  expect(rotating.open(sealed, "mfa:1")).toBe("a seed");
  expect(() => createSecrets(root, { successor: true }).open(sealed, "mfa:1")).toThrow("unknown key version");
  const anew = rotating.seal("a seed", "mfa:1");
  expect(anew).toStartWith(`${rotating.keyPrefix}.`);
  expect(createSecrets(root, { successor: true }).open(anew, "mfa:1")).toBe("a seed");
  expect(() => before.open(anew, "mfa:1")).toThrow();
});

test("hashes made with an earlier secret are recognised by the kept key, and by the previous secret during a rotation", () => {
  const before = createSecrets(Buffer.alloc(32, 1));
  const root = Buffer.alloc(32, 2);
  const rotating = createSecrets(root, { successor: true, before });
  const alone = createSecrets(root, { successor: true, kept: [before.retainedKeys()] });
  for (const purpose of ["device", "recovery", "mailed-link", "licence-lookup", "order-seal"] as const) {
    const [fresh, earlier] = rotating.fingerprints(purpose, "text");
    expect([fresh, earlier]).toEqual([
      rotating.fingerprint(purpose, "text"),
      before.fingerprint(purpose, "text"),
    ]);
  }
  expect(alone.fingerprints("device", "text")).toContain(before.fingerprint("device", "text"));
  expect(alone.fingerprints("licence-lookup", "text")).toEqual([alone.fingerprint("licence-lookup", "text")]);
});

test("each purpose has its own key, and each secret different ones", () => {
  const purposes = ["licence-key", "licence-lookup", "device", "recovery", "address"] as const;
  const made = [secrets, other].flatMap((of) => purposes.map((purpose) => of.fingerprint(purpose, "text")));
  expect(new Set(made).size).toBe(made.length);
  for (const one of made) expect(Buffer.from(one, "base64url")).toHaveLength(32);
});

test("a token has 256 bits, is unique, and is stored as a hash", () => {
  const tokens = Array.from({ length: 1000 }, randomToken);
  for (const token of tokens) expect(Buffer.from(token, "base64url")).toHaveLength(32);
  expect(new Set(tokens).size).toBe(1000);
  expect(tokenHash("a token")).toBe("4zFuK6_rthA6NBjod4wK3JYNQCE6A6fn9PzTQm7YB78");
});
