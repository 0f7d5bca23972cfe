import { expect, test } from "bun:test";
import { refusalText } from "@bot/interactions/refusals";
import {
  type Actor,
  application,
  customer,
  member,
  operator,
  type Role,
  type StaffRight,
  theShop,
  visitor,
} from "@/core/base/actor";
import { minute } from "@/contract/vocabulary/time";
import { Refusal } from "@/core/base/refusal";
import { authorize, expectConfirmed, may, type Permission, permissions } from "@/domain/permissions";

const staff = (...roles: StaffRight[]): Actor => ({
  kind: "staff",
  via: "discord",
  discordUserId: "1",
  roles,
  proven: null,
});

const actors: Record<Role, Actor> = {
  operator,
  owner: staff("owner"),
  support: staff("support"),
  discord_support: staff("discord_support"),
  viewer: staff("viewer"),
  customer: customer("1"),
  application: application("1", null),
  visitor,
  shop: theShop,
};

/** The columns of the matrix. */
const roles = [
  "operator",
  "owner",
  "support",
  "discord_support",
  "viewer",
  "customer",
  "application",
  "visitor",
  "shop",
] as const satisfies Role[];

/** Who may do what: a row for each operation, an x for each role that may and a dot for each that may not. */
const matrix = [
  "· · · · · · · x ·  account.register",
  "· · · · · · · x ·  account.sign_in",
  "· · · · · · · x ·  account.sign_out",
  "· · · · · · · x ·  account.recover",
  "· · · · · x · · ·  account.reauthenticate",
  "· · · · · x · · ·  account.change_password",
  "· · · · · x · · ·  account.change_email",
  "x x · · · · · · ·  account.request_email",
  "· · · · · · · x ·  account.confirm_email",
  "· · · · · x · · ·  account.reset_token",
  "· · · · · x · · ·  account.mail_download",
  "x · · · · x · · ·  account.export",
  "x x · · · x · · ·  account.erase",
  "· · · · · x · · ·  mfa.enable",
  "· · · · · x · · ·  mfa.remove",
  "x x · · · · · · ·  mfa.reset",
  "· · · · · x · · ·  session.end",
  "x x · · · · · · ·  session.end_all",
  "x x x · x · · · ·  customer.read",
  "x · · · · · · · ·  customer.make_tests",
  "x x x · · · · · ·  customer.note",
  "· · · · · · x · ·  device.activate",
  "· · · · · · x · ·  device.deactivate",
  "· · · · · · · x ·  device.ask_to_sign_in",
  "· · · · · x · · ·  device.decide_sign_in",
  "· · · · · · x · ·  device.sign_in",
  "x · · · · x · · ·  device.make_offline_file",
  "· · · · · x · · ·  device.reset",
  "x x x · · x · · ·  device.rename",
  "x x x · x · · · ·  device.read",
  "x x x · · · · · ·  device.unbind",
  "· · · · · x · · ·  licence.redeem",
  "x x · · · · · · ·  licence.issue",
  "x x x · · · · · ·  licence.suspend",
  "x x x · · · · · ·  licence.reinstate",
  "x x · x · · · · ·  licence.revoke",
  "x x x · · · · · ·  licence.extend",
  "x x · · · · · · ·  licence.change_devices",
  "x x · · · · · · ·  licence.change_level",
  "x x · · · · · · ·  licence.rotate_key",
  "· x x · · · · · ·  licence.resend_key",
  "x x · · · · · · ·  licence.reveal_key",
  "x x · · · · · · ·  licence.grant",
  "x x · · · · · · ·  licence.bulk",
  "x x · · · · · · ·  import.make",
  "x x · · · · · · ·  licence_job.read",
  "x x · · · · · · ·  licence_job.cancel",
  "· · · · · x · x ·  checkout.open",
  "· · · · · x · · ·  subscription.manage",
  "x x x · x · · · ·  subscription.read",
  "x x · · · · · · ·  subscription.cancel",
  "x x · · · · · · ·  subscription.sync",
  "· · · · · · · x ·  payment.ask",
  "x x x · x · · · ·  payment.read",
  "x x · · · · · · ·  payment.sync",
  "x x x · · · · · ·  payment.resend_receipt",
  "x x · · · · · · ·  payment.correct_email",
  "x x · · · · · · ·  payment.contest",
  "x x · · · · · · ·  payment.accept_dispute",
  "x x · · · · · · ·  sales.export",
  "· x x · · · · · ·  correction.propose",
  "· x · · · · · · ·  correction.approve",
  "· x · · · · · · ·  correction.decline",
  "x x · · · · · · ·  refund.make",
  "· x x · · · · · ·  refund.propose",
  "· x · · · · · · ·  refund.approve",
  "· x · x · · · · ·  refund.decline",
  "· · · · · x · · ·  discord.link",
  "x x · · · x · · ·  discord.unlink",
  "x x · · · · · · ·  discord.relink",
  "· x x · · · · · ·  discord.sync_role",
  "x x x · x · · · ·  ticket.read",
  "· · · · · x · · ·  ticket.open",
  "· · · · · x · · ·  ticket.write",
  "x x x · · x · · x  ticket.close",
  "· x x · · x · · ·  ticket.reopen",
  "· · · · · x · · ·  ticket.rate",
  "x x x · · · · · ·  ticket.answer",
  "· x x · · · · · ·  ticket.claim",
  "· x x · · · · · ·  ticket.unclaim",
  "· x x · · · · · ·  ticket.escalate",
  "· x x · · · · · ·  ticket.transfer",
  "· x x · · · · · ·  ticket.note",
  "x x x · x · · · ·  reply.read",
  "x x · · · · · · ·  reply.change",
  "· x x · · · · · ·  ticket.add_guest",
  "· x x · x · · · ·  desk.enter",
  "x x x · x · · · ·  desk.read",
  "x x · · · · · · ·  desk.export",
  "· x · · · · · · ·  owner_mail.choose",
  "x x · · · · · · ·  staff.read",
  "x x · · · · · · ·  staff.add",
  "x x · · · · · · ·  staff.remove",
  "x x · · · · · · ·  staff.wake",
  "· · · · · x · x ·  invitation.accept",
  "x x x · x · · · ·  level.read",
  "x x · · · · · · ·  level.add",
  "x x · · · · · · ·  level.change",
  "x x · · · · · · ·  level.retire",
  "x x x · x · · · ·  offer.read",
  "x x · · · · · · ·  offer.add",
  "x x · · · · · · ·  offer.change",
  "x x · · · · · · ·  offer.retire",
  "x x x · x · · · ·  code.read",
  "x x · · · · · · ·  code.create",
  "x x · · · · · · ·  code.retire",
  "x x x · x · · · ·  release.read",
  "x x · · · · · · ·  release.publish",
  "x x · · · · · · ·  release.yank",
  "x x · · · · · · ·  release.roll_out",
  "· · · · · x x x ·  build.download",
  "x x x · x · · · ·  changelog.read",
  "x x · · · · · · ·  changelog.add",
  "x x · · · · · · ·  changelog.edit",
  "x x · · · · · · ·  changelog.remove",
  "x x x · x · · · ·  announcement.read",
  "x x · · · · · · ·  announcement.make",
  "x x · · · · · · ·  announcement.stop",
  "· · · · · x · x ·  mail.unsubscribe",
  "x x · · · · · · ·  block.read",
  "x x · · · · · · ·  block.add",
  "x x · · · · · · ·  block.remove",
  "x x · · · · · · ·  webhook.add",
  "x x · · · · · · ·  webhook.change",
  "x x · · · · · · ·  webhook.enable",
  "x x · · · · · · ·  webhook.read",
  "x x · · · · · · ·  webhook.remove",
  "x x · · · · · · ·  webhook.rotate",
  "x x · · · · · · ·  webhook.test",
  "x x · · · · · · ·  webhook.replay",
  "x x · · · · · · ·  server_key.read",
  "x x · · · · · · ·  server_key.add",
  "x x · · · · · · ·  server_key.remove",
  "x x · · · · · · ·  settings.read",
  "x x x · · · · · ·  system.read",
  "x x · · · · · · ·  system.check",
  "x x · · · · · · ·  system.try",
  "x x · · · · · · ·  backup.read",
  "x x · · · · · · ·  outbox.read",
  "x x · · · · · · ·  outbox.retry",
  "x x · · · · · · ·  outbox.drop",
  "x · · · · · · · ·  secrets.rotate",
  "x · · · · · · · ·  stripe.make_endpoint",
  "x x · · · · · · x  shop.back_up",
  "x · · · · · · · ·  shop.restore",
  "x · · · · · · · ·  shop.take_over",
  "x · · · · · · · ·  shop.move",
  "x · · · · · · · ·  shop.export",
  "x x x · x · · · ·  figures.read",
  "x x · · · · · · ·  figures.rebuild",
];

const operations = Object.keys(permissions) as Permission[];

test("every role may do exactly what the matrix says", () => {
  const rights = (operation: Permission) => roles.map((role) => (may(actors[role], operation) ? "x" : "·"));
  expect(roles.toSorted()).toEqual((Object.keys(actors) as Role[]).toSorted());
  const rows = operations.map((operation) => `${rights(operation).join(" ")}  ${operation}`);
  expect(rows.toSorted()).toEqual(matrix.toSorted());
});

test("an actor with two roles may do what either may, and one without any may do nothing", () => {
  expect(may(staff("viewer", "support"), "ticket.read")).toBe(true);
  expect(may(staff("viewer", "support"), "ticket.close")).toBe(true);
  expect(operations.filter((operation) => may(staff(), operation))).toEqual([]);
});

test("an owner may do whatever support and viewers may, and support whatever viewers may", () => {
  const lacking = (higher: Role, lower: Role) =>
    operations.filter((one) => may(actors[lower], one) && !may(actors[higher], one));
  expect(lacking("owner", "support")).toEqual([]);
  expect(lacking("owner", "discord_support")).toEqual([]);
  expect(lacking("support", "viewer")).toEqual([]);
});

test("a fresh code is asked of staff until ten minutes after the last, which in Discord there never is", () => {
  const now = new Date("2026-12-01T12:00:00Z");
  const desk = (confirmedAt: Date): Actor => ({
    kind: "staff",
    via: "desk",
    accountId: "1",
    roles: ["owner"],
    confirmedAt,
  });
  const ask = (actor: Actor, operation: Permission) => () =>
    expectConfirmed({ now: () => now }, actor, operation);
  const [recently, before] = [9, 10].map((minutes) => new Date(now.getTime() - minutes * minute));
  expect(ask(desk(recently!), "refund.make")).not.toThrow();
  expect(ask(desk(before!), "refund.make")).toThrow("confirm");
  expect(ask(desk(before!), "ticket.claim")).not.toThrow();
  expect(ask(operator, "refund.make")).not.toThrow();
  expect(ask(staff("owner"), "refund.make")).toThrow("confirm");
  expect(ask(staff("owner"), "ticket.claim")).not.toThrow();
});

test("a customer has the same rights on the website and in Discord", () => {
  const differing = operations.filter((one) => may(customer("1"), one) !== may(member("1"), one));
  expect(differing).toEqual([]);
});

test("a refusal names the roles that may, and the bot says which one is missing", () => {
  const answerTo = (actor: Actor, operation: Permission): string => {
    try {
      authorize({ actor }, operation);
      return "allowed";
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      expect(error.code).toBe("forbidden");
      expect(permissions[operation]).toEqual(expect.arrayContaining([...(error.detail.needs ?? [])]));
      return refusalText(error);
    }
  };
  expect(answerTo(staff(), "ticket.claim")).toBe("Only the support team can do this.");
  expect(answerTo(staff("support"), "refund.approve")).toBe("Only the shop's owners can do this.");
  expect(answerTo(staff(), "refund.decline")).toBe("Only the support team can do this.");
  expect(answerTo(staff("owner"), "refund.decline")).toBe("allowed");
  // the support role of Discord loses these once the shop has staff of its own
  expect(answerTo(staff("support"), "licence.revoke")).toBe("Only the shop's owners can do this.");
  expect(answerTo(staff("support", "discord_support"), "licence.revoke")).toBe("allowed");
});
