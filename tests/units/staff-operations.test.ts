import type { Actor } from "@/core/base/actor";
import { expect, test } from "bun:test";
import { operations } from "@/contract/operations/all";
import type { Declaration } from "@/contract/operations/operation";
import type { Field } from "@/contract/vocabulary/fields";
import { bodyOf } from "@/contract/wire/fields";
import { implementations } from "@/domain/operations/all";
import { expectConfirmed, type Permission, permissions } from "@/domain/permissions";

const declared: readonly Declaration[] = Object.values(operations);
const writing = declared.filter(({ call }) => call.startsWith("POST"));

/** A good value of each field that has a form of its own. */
const words: Record<string, unknown> = {
  discord_id: "123456789012345678",
  code: "LAUNCH",
  id: "month",
  month: "2026-11",
};
const schemas: Record<string, unknown> = {
  bulkIds: ["one"],
  bulkFilter: { status: "active" },
  codeLasts: "once",
  importColumns: { key: "Serial" },
  platforms: [],
  uploadFiles: [{ name: "a.exe", size: 1, sha256: "0".repeat(64) }],
  eventTypes: null,
  publicKey: "a key",
};

function good(name: string, field: Field): unknown {
  if (name in words) return words[name];
  switch (field.kind) {
    case "whole":
      return field.most;
    case "amount":
      return 200;
    case "email":
      return "ada@example.com";
    case "choice":
      return Object.keys(field.choices)[0];
    case "flag":
      return true;
    case "word":
      return field.pattern.test("text") ? "text" : "123456789012345678";
    case "words":
      return ["export", "api"];
    case "instant":
      return "2026-01-01T00:00:00Z";
    case "schema":
      return schemas[field.schema];
    default:
      return "text";
  }
}

/** A body with every field, but for all except the first of those that exclude each other. */
function goodBody({ fields = {}, oneOf = [] }: Declaration): Record<string, unknown> {
  const left = Object.entries(fields).filter(([name]) => !oneOf.slice(1).includes(name));
  return Object.fromEntries(left.map(([name, field]) => [name, good(name, field)]));
}

const takes = (operation: Declaration, body: unknown) => bodyOf(operation).safeParse(body).success;

for (const operation of writing) {
  test(`${operation.name} takes its fields, and no other`, () => {
    const body = { ...goodBody(operation), ...(operation.reason && { reason: "a reason" }) };
    expect(takes(operation, body)).toBe(true);
    expect(takes(operation, { ...body, mistyped: 1 })).toBe(false);
    for (const [name, { optional, otherwise }] of Object.entries(operation.fields ?? {})) {
      if (!(name in body) || operation.oneOf?.includes(name)) continue;
      const { [name]: _left, ...without } = body as Record<string, unknown>;
      expect([name, takes(operation, without)]).toEqual([name, optional === true || otherwise !== undefined]);
    }
  });
}

/** Which operations ask for a reason, which can be given one, and which have none. */
const reasons = {
  required: `licence.suspend licence.reinstate licence.revoke licence.extend licence.change_devices
    licence.change_level licence.rotate_key licence.reveal_key licence.bulk licence.issue import.make licence.grant licence_job.cancel
    device.unbind mfa.reset account.request_email session.end_all discord.relink discord.unlink account.erase
    payment.refund payment.propose_email payment.contest payment.accept_dispute sales.export refund.approve refund.decline correction.approve
    correction.decline subscription.cancel staff.add staff.remove staff.wake block.add block.remove
    webhook.replay webhook.add webhook.change webhook.enable webhook.test webhook.rotate webhook.remove
    server_key.add server_key.remove outbox.drop shop.back_up`,
  optional: `payment.resend_receipt payment.resend_lost payment.sync ticket.close ticket.reopen reply.change reply.change_one
    reply.remove release.publish release.finish_upload release.cancel_upload release.yank release.roll_out
    level.add level.change level.retire offer.add offer.change offer.retire code.create code.retire changelog.add changelog.edit changelog.remove
    announcement.make announcement.stop outbox.retry`,
  none: `payment.evidence customer.note ticket.answer ticket.note ticket.claim ticket.unclaim announcement.preview
    announcement.test owner_mail.choose desk.search request.show request.confirm system.try`,
};

for (const [rule, names] of Object.entries(reasons)) {
  test(`a reason is ${rule} where the rules say so`, () => {
    const found = writing.filter(({ reason = "none" }) => reason === rule).map(({ name }) => name);
    expect(found.toSorted()).toEqual(names.split(/\s+/).toSorted());
  });
}

test("a reason has 3 to 300 characters on one line", () => {
  const operation = { reason: "optional" } as const;
  const withReason = (reason: unknown) => takes(operation as Declaration, { reason });
  expect(["abc", "n".repeat(300), undefined].map(withReason)).toEqual([true, true, true]);
  expect(["no", "n".repeat(301), "", "a\n"].map(withReason)).toEqual([false, false, false, false]);
  expect(takes({ reason: "required" } as Declaration, {})).toBe(false);
});

test("two ways to say one thing can't both be in a body", () => {
  for (const operation of writing.filter(({ oneOf }) => oneOf)) {
    const [one = "", other = ""] = operation.oneOf ?? [];
    const fields = operation.fields ?? {};
    const body = { ...goodBody(operation), [other]: good(other, fields[other]!), reason: "a reason" };
    expect([operation.name, takes(operation, body)]).toEqual([operation.name, false]);
    const { [one]: _one, [other]: _other, ...neither } = body as Record<string, unknown>;
    expect([operation.name, takes(operation, neither)]).toEqual([operation.name, false]);
  }
  for (const operation of writing.filter(({ someOf }) => someOf))
    expect([operation.name, takes(operation, { reason: "a reason" })]).toEqual([operation.name, false]);
});

test("a list takes no parameter that it doesn't know", () => {
  for (const operation of declared.filter(({ page }) => page)) {
    const query = (sent: object) => takes(operation, sent);
    expect([operation.name, query({ limit: "100" })]).toEqual([operation.name, true]);
    for (const sent of [{ limit: "101" }, { limit: "0" }, { limt: "10" }])
      expect([operation.name, query(sent)]).toEqual([operation.name, false]);
  }
});

test("a note has 1 to 4,000 characters of text", () => {
  const body = bodyOf(operations.noteOnCustomer);
  expect(body.parse({ text: "Called twice.\r\n\u202eIs nice." })).toEqual({
    text: "Called twice.\nIs nice.",
  });
  for (const text of ["", " \n", "\u200b", "x".repeat(4_001)])
    expect(body.safeParse({ text }).success).toBe(false);
});

test("a search has text", () => {
  const body = bodyOf(operations.searchDesk);
  expect(body.parse({ q: "  ada " })).toEqual({ q: "ada" });
  for (const q of ["", "  ", "x".repeat(255)]) expect(body.safeParse({ q }).success).toBe(false);
});

test("every operation has a name and a call of its own, and is done by what declares it", () => {
  for (const part of ["name", "call"] as const)
    expect(new Set(declared.map((operation) => operation[part])).size).toBe(declared.length);
  for (const [key, operation] of Object.entries(operations))
    expect(implementations[key as keyof typeof implementations].declared as Declaration).toBe(operation);
});

test("a hardware ID is blocked as the application sends it", () => {
  const body = bodyOf(operations.addBlock);
  const value = "BOARD-1\nCPU\t2\u200e";
  expect(body.parse({ kind: "device", value: ` ${value} `, reason: "a reason" })).toMatchObject({ value });
});

test("a line is counted in characters as people see them, and has one that is seen", () => {
  const body = bodyOf(operations.saveReply);
  const takes = (name: string) => body.safeParse({ name, text: "Text" }).success;
  expect(["😀".repeat(60), "😀".repeat(61), "\u200b", "\u2800", " "].map(takes)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
});

test("a code is asked for what the declarations say, and for no read", () => {
  const staff: Actor = {
    kind: "staff",
    via: "discord",
    discordUserId: "1",
    roles: ["owner"],
    proven: null,
  };
  const asks = (permission: Permission) => {
    try {
      expectConfirmed({ now: () => new Date() }, staff, permission);
      return false;
    } catch {
      return true;
    }
  };
  expect((Object.keys(permissions) as Permission[]).filter(asks).toSorted()).toEqual(
    `account.erase account.request_email announcement.make announcement.stop block.add block.remove code.create
      code.retire correction.approve desk.export discord.relink discord.unlink import.make level.add level.change
      level.retire licence.bulk licence.change_level licence.grant
      licence.issue licence.reveal_key mfa.reset offer.add offer.change offer.retire payment.accept_dispute
      payment.contest payment.correct_email refund.approve refund.make release.publish release.roll_out release.yank sales.export
       server_key.add server_key.remove shop.back_up
      staff.add staff.remove staff.wake webhook.add webhook.change webhook.enable webhook.remove webhook.replay
      webhook.rotate webhook.test`.split(/\s+/) as Permission[],
  );
});
