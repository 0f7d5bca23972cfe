import { expect, test } from "bun:test";
import { type Operation, permissions } from "@/domain/permissions";
import { mayDo, type Right } from "@/web/screens/desk/operation/rights";

/** What the shop asks about where a screen asks about a right. */
const operations: Record<Right, Operation> = {
  "reset-device": "device.unbind",
  notes: "ticket.note",
  refund: "refund.propose",
  resend: "payment.resend_receipt",
  "correct-email": "correction.propose",
  suspend: "licence.suspend",
  reinstate: "licence.reinstate",
  extend: "licence.extend",
  messages: "ticket.answer",
  claim: "ticket.claim",
  unclaim: "ticket.unclaim",
  close: "ticket.close",
  reopen: "ticket.reopen",
  "reset-mfa": "mfa.reset",
  "change-email": "account.request_email",
  "sign-out": "session.end_all",
  link: "discord.relink",
  unlink: "discord.unlink",
  erase: "account.erase",
  grant: "licence.grant",
  sync: "payment.sync",
  contest: "payment.contest",
  cancel: "subscription.cancel",
  revoke: "licence.revoke",
  devices: "licence.change_devices",
  rotate: "licence.rotate_key",
  key: "licence.reveal_key",
  approve: "refund.approve",
  decline: "refund.decline",
  bulk: "licence_job.cancel",
  export: "desk.export",
  outbox: "outbox.retry",
  replies: "reply.change",
  issue: "licence.issue",
};

for (const [right, operation] of Object.entries(operations)) {
  test(`the desk shows ${right} to those whom the shop lets do it`, () => {
    for (const role of ["owner", "support", "viewer"] as const)
      // the keys of a record are its own
      expect([role, mayDo(role, right as Right)]).toEqual([
        role,
        (permissions[operation] as readonly string[]).includes(role),
      ]);
  });
}
