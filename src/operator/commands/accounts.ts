import { once } from "node:events";
import { operator } from "@/core/base/actor";
import { billInWords } from "@/domain/bills/bill";
import { Command } from "commander";
import { ConfigError } from "@/core/settings/config";
import { jsonPieces } from "@/core/base/json-pieces";
import { exportForOwner } from "@/domain/privacy/export-for-owner";
import { resetMfa, signOutEverywhere } from "@/domain/accounts/credentials/staff-actions";
import { requestEmail } from "@/domain/accounts/addresses/confirm-email";
import { confirmationHours } from "@/domain/accounts/emails/confirm-address";
import type { Customer } from "@/domain/customers/customer";
import { accountNamed } from "@/domain/customers/find";
import { customerForStaff } from "@/domain/customers/for-staff";
import { unbindDevice } from "@/domain/devices/remove";
import { grantLicence } from "@/domain/offers/grant";
import { eraseAsStaff } from "@/domain/privacy/erase";
import { withShop, byOperator, example, print, withJson, withReason } from "../terminal/command-line";
import { counted, facts, stamp, table } from "../terminal/table";
import { emailAddress, typedOrPiped } from "../terminal/arguments";

type Changing = { reason: string; json?: boolean };
type Handing = Changing & { endsFormer?: boolean };

const which = "an account's id, name, email or key, or - to read that from standard input";

/** `shop accounts …` */
export function accountCommand(): Command {
  const noun = new Command("accounts").description("registered customers");
  withJson(noun.command("show <account>"))
    .description(`what staff see about a customer; ${which}`)
    .addHelpText("after", example("accounts show ada@example.com"))
    .action((typed: string, { json }: { json?: boolean }) =>
      withShop(async ({ ctx }) => {
        const account = await accountNamed(ctx, await typedOrPiped(typed));
        const customer = await customerForStaff(ctx, operator, account);
        const { id, username, email, emailConfirmedAt, createdAt } = account;
        const output = { ...customer, account: { id, username, email, emailConfirmedAt, createdAt } };
        print(json, output, inLines(output));
      }),
    );
  withReason(noun.command("reset-device <account>"))
    .description("unbind the computer; this ignores the owner's cooldown and doesn't start it")
    .addHelpText("after", example('accounts reset-device ada --reason "stolen laptop, ticket 12"'))
    .action((typed: string, { reason, json }: Changing) =>
      withShop(async ({ ctx }) => {
        const { id, username } = await accountNamed(ctx, await typedOrPiped(typed));
        await unbindDevice(ctx, id, byOperator(reason));
        print(json, { id }, `${username} can now activate another computer.`);
      }),
    );
  withReason(noun.command("reset-mfa <account>"))
    .description("turn two-factor off for an owner who lost their authenticator; they are notified by mail")
    .addHelpText("after", example('accounts reset-mfa ada --reason "lost the phone, ticket 12"'))
    .action((typed: string, { reason, json }: Changing) =>
      withShop(async ({ ctx }) => {
        const account = await accountNamed(ctx, await typedOrPiped(typed));
        await resetMfa(ctx, account, byOperator(reason));
        print(json, { id: account.id }, `${account.username} now signs in with just the password.`);
      }),
    );
  withReason(noun.command("change-email <account>"))
    .description("mail a link to another address; whoever opens it there gives the account that address")
    .argument("<address>", "the new address", emailAddress)
    .option("--ends-former", "the present address is somebody else's by now: it takes nothing back")
    .addHelpText(
      "after",
      example('accounts change-email ada ada@example.com --reason "lost the mailbox, ticket 12"'),
    )
    .action((typed: string, email: string, { reason, json, endsFormer = false }: Handing) =>
      withShop(async ({ ctx, config }) => {
        if (config.mail === "off") throw new ConfigError("Mail is off (MAIL=off), so no link can be sent.");
        const account = await accountNamed(ctx, await typedOrPiped(typed));
        await requestEmail(ctx, account, { email, endsFormer }, byOperator(reason));
        const sentence = `A link goes to ${email}. ${account.username} has that address once it is confirmed, within ${confirmationHours} hours.`;
        print(json, { id: account.id, email }, sentence);
      }),
    );
  withReason(noun.command("sign-out <account>"))
    .description("end every browser session; the password and auth token keep working")
    .addHelpText("after", example('accounts sign-out ada --reason "cookie stolen, ticket 12"'))
    .action((typed: string, { reason, json }: Changing) =>
      withShop(async ({ ctx }) => {
        const account = await accountNamed(ctx, await typedOrPiped(typed));
        await signOutEverywhere(ctx, account, byOperator(reason));
        print(json, { id: account.id }, `${account.username} is signed out everywhere.`);
      }),
    );
  withJson(noun.command("export <account>"))
    .description("everything stored about an account as JSON, for its owner; --json puts it on one line")
    .addHelpText("after", example("accounts export ada > ada.json"))
    .action((typed: string, { json }: { json?: boolean }) =>
      withShop(async ({ ctx }) => {
        const account = await accountNamed(ctx, await typedOrPiped(typed));
        const output = await exportForOwner(ctx, operator, account);
        for await (const piece of jsonPieces(output, json ? 0 : 2)) await written(piece);
        await written("\n");
      }),
    );
  withReason(noun.command("grant <account> <offer>"))
    .description("give an account a licence of an offer at once, and mail its owner")
    .addHelpText("after", example('accounts grant ada premium --reason "won the contest"'))
    .action((typed: string, offer: string, { reason, json }: Changing) =>
      withShop(async ({ ctx }) => {
        const account = await accountNamed(ctx, await typedOrPiped(typed));
        const licence = await grantLicence(ctx, account, offer, byOperator(reason));
        print(json, { id: account.id, licence }, `${account.username} has the licence ${licence}.`);
      }),
    );
  withReason(noun.command("erase <account>"))
    .description(
      "delete an account at its owner's request; its keys stay used, its payments stay without a name",
    )
    .addHelpText("after", example('accounts erase ada --reason "asked by mail on 3 May"'))
    .action((typed: string, { reason, json }: Changing) =>
      withShop(async ({ ctx, checkout }) => {
        const account = await accountNamed(ctx, await typedOrPiped(typed));
        await eraseAsStaff(ctx, checkout, account, byOperator(reason));
        print(
          json,
          { id: account.id },
          `The account ${account.username} (${account.id}) was erased; its keys stay used.`,
        );
      }),
    );
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
      ? [["computers", `${devices.used} of ${counted(devices.places, "place")}`]]
      : []),
    [
      "last payment",
      payment &&
        `${payment.state}, ${billInWords(payment.bill)}, ${stamp(payment.at)}${payment.disputeStatus ? `, dispute ${payment.disputeStatus}` : ""}`,
    ],
    ["Discord user", role.link && `${role.link.discordUserId} (${role.link.displayName ?? "no name known"})`],
    ["role", `${role.reason}: ${role.sentence}`],
  ];
  const keys = licences.map(({ masked, type, status, expiresAt }) => [
    masked,
    type,
    status,
    stamp(expiresAt) ?? "lifetime",
  ]);
  const more = moreLicences ? `\nThese are the ${licences.length} that were redeemed last.` : "";
  return `${facts(lines)}\n\n${table(["key", "type", "status", "until"], keys)}${more}`;
}
