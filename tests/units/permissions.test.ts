import { expect, test } from "bun:test";
import { phrase } from "@bot/interactions/refusals";
import {
  type Actor,
  application,
  customer,
  member,
  operator,
  type Role,
  type StaffRole,
  theShop,
  visitor,
} from "@/core/actor";
import { Refusal } from "@/core/refusal";
import { authorize, may, type Operation, permissions } from "@/domain/permissions";

const staff = (...roles: StaffRole[]): Actor => ({
  kind: "staff",
  via: "discord",
  discordUserId: "1",
  roles,
});

const actors: Record<Role, Actor> = {
  operator,
  owner: staff("owner"),
  support: staff("support"),
  viewer: staff("viewer"),
  customer: customer("1"),
  application: application("1"),
  visitor,
  shop: theShop,
};

/** The columns of the matrix. */
const roles = [
  "operator",
  "owner",
  "support",
  "viewer",
  "customer",
  "application",
  "visitor",
  "shop",
] as const satisfies Role[];

/** Who may do what: a row for each operation, an x for each role that may and a dot for each that may not. */
const matrix = [
  "· · · · · · x ·  account.register",
  "· · · · · · x ·  account.sign_in",
  "· · · · · · x ·  account.sign_out",
  "· · · · · · x ·  account.recover",
  "· · · · x · · ·  account.reauthenticate",
  "· · · · x · · ·  account.change_password",
  "· · · · x · · ·  account.change_email",
  "· · · · x · · ·  account.keep_email",
  "x · · · · · · ·  account.request_email",
  "· · · · · · x ·  account.confirm_email",
  "· · · · · · x ·  account.undo_email",
  "· · · · x · · ·  account.reset_token",
  "x · · · x · · ·  account.export",
  "x · · · x · · ·  account.erase",
  "· · · · x · · ·  mfa.enable",
  "· · · · x · · ·  mfa.remove",
  "x · · · · · · ·  mfa.reset",
  "· · · · x · · ·  session.end",
  "x · · · · · · ·  session.end_all",
  "x · x · · · · ·  customer.read",
  "x · · · · · · ·  customer.import",
  "· · · · · x · ·  device.activate",
  "· · · · · x · ·  device.deactivate",
  "· · · · x · · ·  device.reset",
  "x · x · · · · ·  device.unbind",
  "· · · · x · · ·  licence.redeem",
  "x · x · · · · ·  licence.issue",
  "x · · · · · · ·  licence.import",
  "x · x · · · · ·  licence.suspend",
  "x · x · · · · ·  licence.reinstate",
  "x · x · · · · ·  licence.revoke",
  "x · · · · · · ·  licence.extend",
  "x · · · · · · ·  licence.rotate_key",
  "· · x · · · · ·  licence.resend_key",
  "· · · · x · x ·  checkout.open",
  "· · · · · · x ·  payment.ask",
  "x · · · · · · ·  payment.read",
  "x · · · · · · ·  payment.sync",
  "x · · · · · · ·  payment.resend_receipt",
  "x · · · · · · ·  payment.correct_email",
  "x · · · · · · ·  payment.contest",
  "x · · · · · · ·  refund.make",
  "· · x · · · · ·  refund.propose",
  "· x · · · · · ·  refund.approve",
  "· x x · · · · ·  refund.decline",
  "· · · · x · · ·  discord.link",
  "x · · · x · · ·  discord.unlink",
  "x · x · · · · ·  discord.relink",
  "· · x · · · · ·  discord.sync_role",
  "x · x · · · · ·  ticket.read",
  "· · · · x · · ·  ticket.open",
  "· · · · x · · ·  ticket.write",
  "x · x · x · · x  ticket.close",
  "· · x · x · · ·  ticket.reopen",
  "· · · · x · · ·  ticket.rate",
  "x · x · · · · ·  ticket.answer",
  "· · x · · · · ·  ticket.claim",
  "· · x · · · · ·  ticket.unclaim",
  "· · x · · · · ·  ticket.escalate",
  "· · x · · · · ·  ticket.transfer",
  "· · x · · · · ·  ticket.note",
  "· · x · · · · ·  ticket.add_guest",
  "x · · · · · · ·  offer.add",
  "x · · · · · · ·  offer.change",
  "x · · · · · · ·  offer.retire",
  "x · · · · · · ·  code.create",
  "x · · · · · · ·  code.retire",
  "x · · · · · · ·  release.publish",
  "x · · · · · · ·  release.yank",
  "x · · · · · · ·  release.roll_out",
  "· · · · x x x ·  build.download",
  "x · · · · · · ·  changelog.add",
  "x · · · · · · ·  changelog.edit",
  "x · · · · · · ·  changelog.remove",
  "x · · · · · · ·  announcement.make",
  "x · · · · · · ·  announcement.stop",
  "· · · · x · x ·  mail.unsubscribe",
  "x · · · · · · ·  block.add",
  "x · · · · · · ·  block.remove",
  "x · · · · · · ·  webhook.add",
  "x · · · · · · ·  webhook.change",
  "x · · · · · · ·  webhook.enable",
  "x · · · · · · ·  webhook.read",
  "x · · · · · · ·  webhook.remove",
  "x · · · · · · ·  webhook.rotate",
  "x · · · · · · ·  webhook.test",
  "x · · · · · · ·  webhook.replay",
  "x · · · · · · ·  server_key.add",
  "x · · · · · · ·  server_key.remove",
  "x · · · · · · ·  secrets.rotate",
  "x · · · · · · x  shop.back_up",
  "x · · · · · · ·  shop.restore",
  "x · · · · · · ·  shop.take_over",
  "x · · · · · · ·  shop.move",
  "x · · · · · · ·  shop.export",
];

const operations = Object.keys(permissions) as Operation[];

test("every role may do exactly what the matrix says", () => {
  const rights = (operation: Operation) => roles.map((role) => (may(actors[role], operation) ? "x" : "·"));
  expect(roles.toSorted()).toEqual((Object.keys(actors) as Role[]).toSorted());
  expect(operations.map((operation) => `${rights(operation).join(" ")}  ${operation}`)).toEqual(matrix);
});

test("an actor with two roles may do what either may, and one without any may do nothing", () => {
  expect(may(staff("owner", "support"), "refund.approve")).toBe(true);
  expect(may(staff("owner", "support"), "ticket.close")).toBe(true);
  expect(operations.filter((operation) => may(staff(), operation))).toEqual([]);
});

test("a customer has the same rights on the website and in Discord", () => {
  const differing = operations.filter((one) => may(customer("1"), one) !== may(member("1"), one));
  expect(differing).toEqual([]);
});

test("a refusal names the roles that may, and the bot says which one is missing", () => {
  const answerTo = (actor: Actor, operation: Operation): string => {
    try {
      authorize({ actor }, operation);
      return "allowed";
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      expect(error.code).toBe("forbidden");
      expect(error.detail).toEqual({ needs: permissions[operation] });
      return phrase(error.code, error.detail);
    }
  };
  expect(answerTo(staff(), "ticket.claim")).toBe("Only the support team can do this.");
  expect(answerTo(staff("support"), "refund.approve")).toBe("Only the shop's owners can do this.");
  expect(answerTo(staff(), "refund.decline")).toBe("Only the support team can do this.");
  expect(answerTo(staff("owner"), "refund.decline")).toBe("allowed");
  expect(answerTo(staff("owner"), "ticket.claim")).toBe("Only the support team can do this.");
});
