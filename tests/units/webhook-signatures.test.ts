import { expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { minute } from "@/contract/vocabulary/time";
import { newSecret, signatureHeaders } from "@/domain/webhooks/signature";

const body = '{"type":"order.paid","timestamp":"2026-03-01T10:00:00.000Z","data":{"order":"é"}}';
const sent = (secrets: string[], timestamp = new Date()) =>
  signatureHeaders({ id: "evt_1", timestamp, body, secrets });
const verifies = (secret: string, headers: Record<string, string>, text = body) => {
  try {
    new Webhook(secret).verify(text, headers);
    return true;
  } catch {
    return false;
  }
};

test("the signature is the one of the standard's own tests", () => {
  // libraries/javascript/src/webhook.test.ts of standard-webhooks/standard-webhooks
  const headers = signatureHeaders({
    id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    timestamp: new Date(1_614_265_330_000),
    body: '{"test": 2432232314}',
    secrets: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
  });
  expect(headers).toEqual({
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  });
});

test("the published library accepts a signed body, and none that was changed or is old", () => {
  const secret = newSecret();
  const headers = sent([secret]);
  expect(verifies(secret, headers)).toBe(true);
  expect(verifies(newSecret(), headers)).toBe(false);
  expect(verifies(secret, headers, body.replace("paid", "lost"))).toBe(false);
  expect(verifies(secret, { ...headers, "webhook-id": "evt_2" })).toBe(false);
  const later = String(Number(headers["webhook-timestamp"]) + 1);
  expect(verifies(secret, { ...headers, "webhook-timestamp": later })).toBe(false);
  const old = new Date(Date.now() - 6 * minute);
  expect(verifies(secret, sent([secret], old))).toBe(false);
});

test("while two secrets are good, both sign, and a receiver needs either", () => {
  const [now, before] = [newSecret(), newSecret()];
  const headers = sent([now, before]);
  expect(headers["webhook-signature"].split(" ")).toHaveLength(2);
  expect([now, before, newSecret()].map((secret) => verifies(secret, headers))).toEqual([true, true, false]);
});

test("a secret is 32 random bytes, and no two are equal", () => {
  const secrets = Array.from({ length: 100 }, newSecret);
  expect(new Set(secrets).size).toBe(100);
  for (const secret of secrets) {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice(6), "base64")).toHaveLength(32);
  }
});

test("an id that could move a boundary of what is signed, and no secret at all, are refused", () => {
  const signed = { id: "evt_1", timestamp: new Date(), body, secrets: [newSecret()] };
  expect(() => signatureHeaders({ ...signed, id: "evt.1" })).toThrow();
  expect(() => signatureHeaders({ ...signed, secrets: [] })).toThrow();
});
