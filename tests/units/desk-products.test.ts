import { expect, test } from "bun:test";
import type { z } from "zod";
import {
  announcementBody,
  announcementPreviewBody,
  announcementTestBody,
} from "@/contract/wire/desk/announcements";
import { blockBody, blocksQuery } from "@/contract/wire/desk/blocks";
import { newsBody, newsChangeBody } from "@/contract/wire/desk/changelog";
import { codeBody, codesQuery } from "@/contract/wire/desk/codes";
import { offerBody, offerChangeBody, offersQuery } from "@/contract/wire/desk/offers";
import { pageOnly } from "@/contract/wire/desk/pages";
import { reasonBody } from "@/contract/wire/desk/reason";
import { partQuery, releasesQuery, rolloutBody, uploadBody } from "@/contract/wire/desk/releases";
import { serverKeyBody } from "@/contract/wire/desk/server-keys";
import {
  deliveriesQuery,
  replayBody,
  rotateBody,
  webhookBody,
  webhookChangeBody,
} from "@/contract/wire/desk/webhooks";

const reason = "a reason";
const sha256 = "0".repeat(64);
const letter = { subject: "News", content: "Text" };

/** A good body of each call that changes something. */
const bodies: [name: string, schema: z.ZodType, good: Record<string, unknown>][] = [
  ["an offer", offerBody, { id: "month", name: "One month", amount: 200, reason }],
  ["a changed offer", offerChangeBody, { amount: 200, reason }],
  ["a code", codeBody, { code: "LAUNCH", percent: 20, reason }],
  ["news", newsBody, { title: "Moved", content: "Text", reason }],
  ["changed news", newsChangeBody, { title: "Moved", reason }],
  [
    "an upload",
    uploadBody,
    { version: "1.0.0", title: "One", files: [{ name: "a.exe", size: 1, sha256 }], reason },
  ],
  ["a rollout", rolloutBody, { rollout: 10, reason }],
  ["an announcement", announcementBody, { ...letter, reason }],
  ["a test of an announcement", announcementTestBody, { ...letter, reason }],
  ["a block", blockBody, { kind: "email", value: "mallory@example.com", reason }],
  ["a webhook endpoint", webhookBody, { url: "https://example.com", reason }],
  ["a changed webhook endpoint", webhookChangeBody, { events: null, reason }],
  ["a rotation", rotateBody, { reason }],
  ["a replay", replayBody, { id: "evt_1", reason }],
  ["a server key", serverKeyBody, { name: "the forum", reason }],
  ["anything else", reasonBody, { reason }],
];

for (const [name, schema, good] of bodies) {
  test(`the desk takes ${name} with a reason of 3 to 300 characters, and no field that it doesn't know`, () => {
    const takes = (body: unknown) => schema.safeParse(body).success;
    expect(takes(good)).toBe(true);
    expect(takes({ ...good, reason: "no" })).toBe(false);
    expect(takes({ ...good, reason: "n".repeat(301) })).toBe(false);
    expect(takes({ ...good, reason: undefined })).toBe(false);
    expect(takes({ ...good, mistyped: 1 })).toBe(false);
  });
}

test("a list of the desk takes no parameter that it doesn't know, and no cursor that it didn't make", () => {
  const queries = [offersQuery, codesQuery, releasesQuery, blocksQuery, deliveriesQuery, pageOnly];
  for (const schema of queries) {
    const takes = (query: unknown) => schema.safeParse(query).success;
    expect(takes({ limit: "100" })).toBe(true);
    expect(takes({ limit: "101" })).toBe(false);
    expect(takes({ limt: "10" })).toBe(false);
    expect(takes({ after: "made up" })).toBe(false);
  }
  expect(blocksQuery.safeParse({ kind: "devise" }).success).toBe(false);
  expect(partQuery.safeParse({ sha256, size: "1" }).success).toBe(false);
});

test("two ways to say one thing can't both stand in a body of the desk", () => {
  const both: [z.ZodType, object][] = [
    [codeBody, { code: "A", percent: 1, amount: 1, reason }],
    [blockBody, { kind: "device", value: "12345678", customer: "x", reason }],
    [replayBody, { id: "evt_1", since: "2026-01-01T00:00:00Z", reason }],
    [offerChangeBody, { reason }],
    [newsChangeBody, { reason }],
    [webhookChangeBody, { reason }],
  ];
  for (const [schema, body] of both) expect(schema.safeParse(body).success).toBe(false);
});

test("a preview of an announcement changes nothing, and needs no reason", () => {
  expect(announcementPreviewBody.safeParse(letter).success).toBe(true);
});
