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

/** Who may do what; a cross is a right. */
const matrix = `
                          operator  owner  support  viewer  customer  application  visitor  shop
account.register          ·         ·      ·        ·       ·         ·            x        ·
account.sign_in           ·         ·      ·        ·       ·         ·            x        ·
account.sign_out          ·         ·      ·        ·       ·         ·            x        ·
account.recover           ·         ·      ·        ·       ·         ·            x        ·
account.reauthenticate    ·         ·      ·        ·       x         ·            ·        ·
account.change_password   ·         ·      ·        ·       x         ·            ·        ·
account.change_email      ·         ·      ·        ·       x         ·            ·        ·
account.keep_email        ·         ·      ·        ·       x         ·            ·        ·
account.request_email     x         ·      ·        ·       ·         ·            ·        ·
account.confirm_email     ·         ·      ·        ·       ·         ·            x        ·
account.undo_email        ·         ·      ·        ·       ·         ·            x        ·
account.reset_token       ·         ·      ·        ·       x         ·            ·        ·
account.export            x         ·      ·        ·       x         ·            ·        ·
account.erase             x         ·      ·        ·       x         ·            ·        ·
mfa.enable                ·         ·      ·        ·       x         ·            ·        ·
mfa.remove                ·         ·      ·        ·       x         ·            ·        ·
mfa.reset                 x         ·      ·        ·       ·         ·            ·        ·
session.end               ·         ·      ·        ·       x         ·            ·        ·
session.end_all           x         ·      ·        ·       ·         ·            ·        ·
customer.read             x         ·      x        ·       ·         ·            ·        ·
customer.import           x         ·      ·        ·       ·         ·            ·        ·
device.activate           ·         ·      ·        ·       ·         x            ·        ·
device.deactivate         ·         ·      ·        ·       ·         x            ·        ·
device.reset              ·         ·      ·        ·       x         ·            ·        ·
device.unbind             x         ·      x        ·       ·         ·            ·        ·
licence.redeem            ·         ·      ·        ·       x         ·            ·        ·
licence.issue             x         ·      x        ·       ·         ·            ·        ·
licence.import            x         ·      ·        ·       ·         ·            ·        ·
licence.suspend           x         ·      x        ·       ·         ·            ·        ·
licence.reinstate         x         ·      x        ·       ·         ·            ·        ·
licence.revoke            x         ·      x        ·       ·         ·            ·        ·
licence.extend            x         ·      ·        ·       ·         ·            ·        ·
licence.rotate_key        x         ·      ·        ·       ·         ·            ·        ·
licence.resend_key        ·         ·      x        ·       ·         ·            ·        ·
checkout.open             ·         ·      ·        ·       x         ·            x        ·
payment.ask               ·         ·      ·        ·       ·         ·            x        ·
payment.read              x         ·      ·        ·       ·         ·            ·        ·
payment.sync              x         ·      ·        ·       ·         ·            ·        ·
payment.resend_receipt    x         ·      ·        ·       ·         ·            ·        ·
payment.correct_email     x         ·      ·        ·       ·         ·            ·        ·
payment.contest           x         ·      ·        ·       ·         ·            ·        ·
refund.make               x         ·      ·        ·       ·         ·            ·        ·
refund.propose            ·         ·      x        ·       ·         ·            ·        ·
refund.approve            ·         x      ·        ·       ·         ·            ·        ·
refund.decline            ·         x      x        ·       ·         ·            ·        ·
discord.link              ·         ·      ·        ·       x         ·            ·        ·
discord.unlink            x         ·      ·        ·       x         ·            ·        ·
discord.relink            x         ·      x        ·       ·         ·            ·        ·
discord.sync_role         ·         ·      x        ·       ·         ·            ·        ·
ticket.read               x         ·      x        ·       ·         ·            ·        ·
ticket.open               ·         ·      ·        ·       x         ·            ·        ·
ticket.write              ·         ·      ·        ·       x         ·            ·        ·
ticket.close              x         ·      x        ·       x         ·            ·        x
ticket.reopen             ·         ·      x        ·       x         ·            ·        ·
ticket.rate               ·         ·      ·        ·       x         ·            ·        ·
ticket.answer             x         ·      x        ·       ·         ·            ·        ·
ticket.claim              ·         ·      x        ·       ·         ·            ·        ·
ticket.unclaim            ·         ·      x        ·       ·         ·            ·        ·
ticket.escalate           ·         ·      x        ·       ·         ·            ·        ·
ticket.transfer           ·         ·      x        ·       ·         ·            ·        ·
ticket.note               ·         ·      x        ·       ·         ·            ·        ·
ticket.add_guest          ·         ·      x        ·       ·         ·            ·        ·
offer.add                 x         ·      ·        ·       ·         ·            ·        ·
offer.change              x         ·      ·        ·       ·         ·            ·        ·
offer.retire              x         ·      ·        ·       ·         ·            ·        ·
code.create               x         ·      ·        ·       ·         ·            ·        ·
code.retire               x         ·      ·        ·       ·         ·            ·        ·
release.publish           x         ·      ·        ·       ·         ·            ·        ·
release.yank              x         ·      ·        ·       ·         ·            ·        ·
release.roll_out          x         ·      ·        ·       ·         ·            ·        ·
build.download            ·         ·      ·        ·       x         x            x        ·
changelog.add             x         ·      ·        ·       ·         ·            ·        ·
changelog.edit            x         ·      ·        ·       ·         ·            ·        ·
changelog.remove          x         ·      ·        ·       ·         ·            ·        ·
announcement.make         x         ·      ·        ·       ·         ·            ·        ·
announcement.stop         x         ·      ·        ·       ·         ·            ·        ·
mail.unsubscribe          ·         ·      ·        ·       x         ·            x        ·
block.add                 x         ·      ·        ·       ·         ·            ·        ·
block.remove              x         ·      ·        ·       ·         ·            ·        ·
webhook.add               x         ·      ·        ·       ·         ·            ·        ·
webhook.change            x         ·      ·        ·       ·         ·            ·        ·
webhook.enable            x         ·      ·        ·       ·         ·            ·        ·
webhook.read              x         ·      ·        ·       ·         ·            ·        ·
webhook.remove            x         ·      ·        ·       ·         ·            ·        ·
webhook.rotate            x         ·      ·        ·       ·         ·            ·        ·
webhook.test              x         ·      ·        ·       ·         ·            ·        ·
webhook.replay            x         ·      ·        ·       ·         ·            ·        ·
server_key.add            x         ·      ·        ·       ·         ·            ·        ·
server_key.remove         x         ·      ·        ·       ·         ·            ·        ·
secrets.rotate            x         ·      ·        ·       ·         ·            ·        ·
shop.back_up              x         ·      ·        ·       ·         ·            ·        x
shop.restore              x         ·      ·        ·       ·         ·            ·        ·
shop.take_over            x         ·      ·        ·       ·         ·            ·        ·
shop.move                 x         ·      ·        ·       ·         ·            ·        ·
shop.export               x         ·      ·        ·       ·         ·            ·        ·
`;

const roles = Object.keys(actors) as Role[];
const operations = Object.keys(permissions) as Operation[];

/** A line of the matrix. */
const line = (name: string, cells: string[]) =>
  `${name.padEnd(26)}${cells.map((cell, at) => cell.padEnd((roles[at] ?? "").length + 2)).join("")}`.trimEnd();

test("every role may do exactly what the matrix says", () => {
  const lines = operations.map((operation) =>
    line(
      operation,
      roles.map((role) => (may(actors[role], operation) ? "x" : "·")),
    ),
  );
  expect(`\n${[line("", roles), ...lines].join("\n")}\n`).toBe(matrix);
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
