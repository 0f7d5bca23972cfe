import { once } from "node:events";
import { operator } from "@/core/actor";
import { billInWords } from "@/domain/bills/bill";
import { Command } from "commander";
import { ConfigError } from "@/core/config";
import { jsonPieces, type Pages } from "@/core/json-pieces";
import { exportAccount } from "@/domain/privacy/export";
import { resetMfa, signOutEverywhere } from "@/domain/accounts/by-hand";
import { requestEmail } from "@/domain/accounts/confirm-email";
import { confirmationHours } from "@/domain/accounts/emails/confirm-address";
import { type Customer, customerOf } from "@/domain/customers/customer";
import { accountNamed } from "@/domain/customers/find";
import { unbindDevice } from "@/domain/devices/reset";
import { eraseByHand } from "@/domain/privacy/erase";
import type { ListedPayment } from "@/domain/payments/view/list";
import type { Message } from "@/domain/tickets/messages";
import type { Ticket } from "@/domain/tickets/queries";
import { withShop, byOperator, example, print, withJson, withReason } from "./command-line";
import { facts, stamp, table } from "./table";
import { emailAddress, typedOrPiped } from "./arguments";

type Changing = { reason: string; json?: boolean };

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
        const customer = await customerOf(ctx, account);
        const { id, username, email, createdAt } = account;
        const output = { ...customer, account: { id, username, email, createdAt } };
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
    .addHelpText(
      "after",
      example('accounts change-email ada ada@example.com --reason "lost the mailbox, ticket 12"'),
    )
    .action((typed: string, email: string, { reason, json }: Changing) =>
      withShop(async ({ ctx, config }) => {
        if (config.mail === "off") throw new ConfigError("Mail is off (MAIL=off), so no link can be sent.");
        const account = await accountNamed(ctx, await typedOrPiped(typed));
        await requestEmail(ctx, account, email, byOperator(reason));
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
        const held = await exportAccount(ctx, operator, { account, session: { id: "" } });
        const { unsubscribedAt } = held.account;
        const { id, username, email, timezone, createdAt, deviceResetAt, mfaEnabledAt } = account;
        const own = { id, username, email, timezone, createdAt, deviceResetAt, mfaEnabledAt, unsubscribedAt };
        const { device, link, payments, purchases, licences, sessions, security, tickets } = held;
        const output = {
          account: own,
          device: device && { label: device.label },
          discord: link && { user: link.discordUserId, name: link.displayName, linkedAt: link.linkedAt },
          payments: viewed(payments, paymentView),
          purchases: viewed(purchases, ({ createdAt: _at, ...purchase }) => purchase),
          licences: viewed(licences, ({ id: _id, ...licence }) => licence),
          tickets: viewed(tickets, (ticket) => ({
            ...ticketView(ticket),
            messages: viewed(held.messagesOf(ticket.id), messageView),
          })),
          sessions,
          security,
        };
        for await (const piece of jsonPieces(output, json ? 0 : 2)) await written(piece);
        await written("\n");
      }),
    );
  withReason(noun.command("erase <account>"))
    .description(
      "delete an account at its owner's request; its keys stay used, its payments stay without a name",
    )
    .addHelpText("after", example('accounts erase ada --reason "asked by mail on 3 May"'))
    .action((typed: string, { reason, json }: Changing) =>
      withShop(async ({ ctx }) => {
        const account = await accountNamed(ctx, await typedOrPiped(typed));
        await eraseByHand(ctx, account, byOperator(reason));
        print(
          json,
          { id: account.id },
          `The account ${account.username} (${account.id}) was erased; its keys stay used.`,
        );
      }),
    );
  return noun;
}

async function* viewed<Row, View>(pages: Pages<Row>, view: (row: Row) => View): AsyncGenerator<View[]> {
  for await (const rows of pages) yield rows.map(view);
}

/** Waits for a reader who is slower than the shop. */
async function written(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, "drain");
}

/** A payment as its account may know it: whoever redeemed a gift learns nothing about its buyer. */
const paymentView = (payment: ListedPayment) => {
  const { id, state, failureReason, method, createdAt, paidAt, intentId, offer, product, quantity } = payment;
  const { bill, email, keys, gift, invoiceUrl } = payment;
  return {
    id,
    state,
    failureReason,
    method,
    createdAt,
    paidAt,
    intentId,
    offer,
    product,
    quantity,
    bill,
    email,
    keys,
    gift,
    invoiceUrl,
  };
};

/** A ticket without the fields that only the shop needs. */
const ticketView = (ticket: Ticket) => {
  const { number, topic, question, state, openedAt, closedAt, closedBy, closeReason, stars } = ticket;
  return { number, topic, question, state, openedAt, closedAt, closedBy, closeReason, stars };
};

const messageView = (message: Message) => {
  const { author, authorName: name, content, at, editedAt, deletedAt, before, files } = message;
  return {
    author,
    name,
    content,
    at,
    editedAt,
    deletedAt,
    before,
    files: files.map((file) => ({ name: file.name, size: file.size, state: file.state })),
  };
};

function inLines(customer: Customer): string {
  const { account, twoFactor, licences, moreLicences, payment, device, role } = customer;
  const lines = [
    ["id", account.id],
    ["username", account.username],
    ["email", account.email],
    ["since", stamp(account.createdAt)],
    ["two-factor", twoFactor ? "on" : "off"],
    ["device", device ? device.label : null],
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
  return `${facts(lines)}\n\n${table(["key", "type", "status", "until (UTC)"], keys)}${more}`;
}
