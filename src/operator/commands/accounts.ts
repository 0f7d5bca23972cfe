import { once } from "node:events";
import { operator } from "@/core/base/actor";
import { billInWords } from "@/domain/bills/bill";
import { Command } from "commander";
import { ConfigError } from "@/core/settings/config";
import { jsonPieces } from "@/core/base/json-pieces";
import { exportForOwner } from "@/domain/privacy/export-for-owner";
import { confirmationHours } from "@/domain/accounts/emails/confirm-address";
import type { Customer } from "@/domain/customers/customer";
import { accountNamed } from "@/domain/customers/find";
import { customerForStaff } from "@/domain/customers/for-staff";
import { customerOperations } from "@/domain/operations/customers";
import { withShop, print, withJson } from "../terminal/command-line";
import { counted, facts, stamp, table } from "../terminal/table";
import { typedOrPiped } from "../terminal/arguments";
import { addOperation, subjects } from "../terminal/operation-command";

/** `shop accounts …` */
export function accountCommand(): Command {
  const noun = new Command("accounts").description("registered customers");
  withJson(noun.command("show <account>"), "accounts show ada@example.com")
    .description(`what staff see about a customer; ${subjects.customer.about}`)
    .action((typed: string, { json }: { json?: boolean }) =>
      withShop(async ({ ctx }) => {
        const account = await accountNamed(ctx, await typedOrPiped(typed));
        const customer = await customerForStaff(ctx, operator, account);
        const { id, username, email, emailConfirmedAt, createdAt } = account;
        const output = { ...customer, account: { id, username, email, emailConfirmedAt, createdAt } };
        const subscriptions = output.subscriptions.map(
          ({ checkedAt: lookedAt, nextCheckAt: lookAgainAt, ...one }) => ({ ...one, lookedAt, lookAgainAt }),
        );
        print(json, { ...output, subscriptions }, inLines(output));
      }),
    );
  addOperation(noun, customerOperations.resetCustomerDevice, {
    description: "unbind the computer; this ignores the owner's cooldown and doesn't start it",
    examples: ['accounts reset-device ada --reason "stolen laptop, ticket 12"'],
    // shop devices remove unbinds one of several
    fields: { device: null },
    output: ({ subject: { username } }) => `${username} can now activate another computer.`,
  });
  addOperation(noun, customerOperations.resetCustomerMfa, {
    description: "turn two-factor off for an owner who lost their authenticator; they are notified by mail",
    examples: ['accounts reset-mfa ada --reason "lost the phone, ticket 12"'],
    output: ({ subject: { username } }) => `${username} now signs in with just the password.`,
  });
  addOperation(noun, customerOperations.changeCustomerEmail, {
    description: "send a link to another address; whoever opens it there gives the account that address",
    examples: ['accounts change-email ada ada@example.com --reason "lost the mailbox, ticket 12"'],
    fields: {
      email: { flags: "<address>", about: "the new address" },
      ends_former: "the current address belongs to someone else now: it takes nothing back",
    },
    check(_, { mail }) {
      if (mail === "off") throw new ConfigError("Mail is off (MAIL=off), so no link can be sent.");
    },
    output: ({ subject: { id, username }, given: { email } }) => ({
      data: { id, email },
      sentence: `A link goes to ${email}. ${username} has that address once it is confirmed, within ${confirmationHours} hours.`,
    }),
  });
  addOperation(noun, customerOperations.signCustomerOut, {
    description: "end every browser session; the password and auth token keep working",
    examples: ['accounts sign-out ada --reason "cookie stolen, ticket 12"'],
    output: ({ subject: { username } }) => `${username} is signed out everywhere.`,
  });
  withJson(noun.command("export <account>"), "accounts export ada > ada.json")
    .description("everything stored about an account as JSON, for its owner; --json puts it on one line")
    .action((typed: string, { json }: { json?: boolean }) =>
      withShop(async ({ ctx }) => {
        const account = await accountNamed(ctx, await typedOrPiped(typed));
        const output = await exportForOwner(ctx, operator, account);
        for await (const piece of jsonPieces(output, json ? 0 : 2)) await written(piece);
        await written("\n");
      }),
    );
  addOperation(noun, customerOperations.grantLicence, {
    description: "add a licence of an offer to an account right away, and mail its owner",
    examples: ['accounts grant ada premium --reason "won the contest"'],
    fields: {
      offer: "the offer's id",
      level: { flags: "--level <id>", about: "another level than the offer's" },
    },
    output: ({ result: licence, subject: { id, username } }) => ({
      data: { id, licence },
      sentence: `${username} has the licence ${licence}.`,
    }),
  });
  addOperation(noun, customerOperations.eraseCustomer, {
    description:
      "delete an account at its owner's request; its keys stay used, its payments stay without a name",
    examples: ['accounts erase ada --reason "asked by mail on 3 May"'],
    output: ({ subject: { id, username } }) =>
      `The account ${username} (${id}) was erased; its keys stay used.`,
  });
  return noun;
}

/** Waits for a reader who is slower than the shop. */
async function written(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, "drain");
}

function inLines(customer: Customer): string {
  const { account, twoFactor, licences, moreLicences, payment, device, devices, role } = customer;
  const lines = [
    ["id", account.id],
    ["username", account.username],
    [
      "email",
      account.email === null
        ? "none"
        : `${account.email}${account.emailConfirmedAt === null ? ", not confirmed" : ""}`,
    ],
    ["since", stamp(account.createdAt)],
    ["two-factor", twoFactor ? "on" : "off"],
    ["device", device ? device.label : null],
    ...(devices.used > 1 || devices.places > 1
      ? [["computers", `${devices.used} of ${counted(devices.places, "seat")}`]]
      : []),
    [
      "last payment",
      payment &&
        `${payment.state}, ${billInWords(payment.bill)}, ${stamp(payment.at)}${payment.disputeStatus ? `, dispute ${payment.disputeStatus}` : ""}`,
    ],
    ["Discord user", role.link && `${role.link.discordUserId} (${role.link.displayName ?? "no name known"})`],
    ["role", `${role.reason}: ${role.sentence}`],
  ];
  const keys = licences.map(({ masked, type, level, status, expiresAt }) => [
    masked,
    level ?? type,
    status,
    stamp(expiresAt) ?? "lifetime",
  ]);
  const more = moreLicences ? `\nThese are the ${licences.length} that were redeemed last.` : "";
  return `${facts(lines)}\n\n${table(["key", "type", "status", "until"], keys)}${more}`;
}
