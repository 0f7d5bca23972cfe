import { Command } from "commander";
import { operator } from "@/core/base/actor";
import { linkUrl } from "@/domain/accounts/sessions/link-token";
import { invitationHours } from "@/domain/staff/emails/invitation";
import type { Services } from "@/domain/operations/operation";
import { staffOperations } from "@/domain/operations/settings";
import { type Appointed, staffOfShop } from "@/domain/staff/staff-actions";
import { type OpenShop, print, withJson, withShop } from "../terminal/command-line";
import { addOperation } from "../terminal/operation-command";
import { stamp, table } from "../terminal/table";

const named = "an account's name, or an address";
const trimmed = (typed: string) => typed.trim();

/** `shop staff …` */
export function staffCommand(): Command {
  const noun = new Command("staff").description("who works at the desk: owners, support and viewers");
  addOperation(noun, staffOperations.addStaff, {
    description: "give a member of staff another role; any other account, or an address, is invited by mail",
    examples: ['staff add olga --role owner --reason "runs the shop"'],
    fields: { name_or_email: named, role: { flags: "--role <role>", about: "what they may do" } },
    output: addedOutput,
  });
  withJson(noun.command("list"), "staff list")
    .description("everyone with a role, which of them sleep or lack two-factor, and open invitations")
    .action(({ json }: { json?: boolean }) => withShop((shop) => list(shop, json)));
  addOperation(noun, staffOperations.removeStaff, {
    description: "take a role, or withdraw an invitation; their desk closes right away",
    examples: ['staff remove sam --reason "left the company"'],
    subject: { about: named, read: trimmed },
    output: ({ result: outcome, subject: who }) => ({
      data: { outcome },
      sentence: outcome === "removed" ? `${who} no longer has a role.` : "The invitation no longer works.",
    }),
  });
  addOperation(noun, staffOperations.wakeStaff, {
    description: "wake a role that sleeps since its account was recovered without two-factor",
    examples: ['staff wake olga --reason "we spoke on the phone"'],
    subject: { about: "an account's name", read: trimmed },
    output: ({ result: { role }, subject: name }) => ({
      data: { name, role },
      sentence: `${name} is awake: ${role}.`,
    }),
  });
  return noun;
}

function addedOutput(
  { result: { account, role, invitation } }: { result: Appointed },
  { mail, config }: Services,
) {
  if (!invitation) {
    return { data: { account, role, invitation: null }, sentence: `${account.username} is ${role} now.` };
  }
  const { id, email, token } = invitation;
  const link = mail === "off" ? linkUrl(config.publicUrl, "/invitation", token) : null;
  const sentence = link
    ? `Mail is off, so hand ${email} this link yourself. It works once, for ${invitationHours} hours:\n${link}`
    : `An invitation goes to ${email}. It works once, for ${invitationHours} hours.`;
  return { data: { account: null, role, invitation: { id, email, link } }, sentence };
}

async function list({ ctx }: OpenShop, json: boolean | undefined): Promise<void> {
  const all = await staffOfShop(ctx, { actor: operator });
  const members = all.members.map(({ account, role, twoFactor, asleepSince, since }) => [
    account.username,
    asleepSince ? `${role}, asleep` : role,
    twoFactor ? "on" : "off: the desk stays closed",
    stamp(since),
  ]);
  const invited = all.invitations.map(({ email, role, expiresAt }) => [email, role, stamp(expiresAt)]);
  const parts = [
    members.length > 0 ? table(["name", "role", "two-factor", "since"], members) : "There are no staff.",
    ...(invited.length > 0 ? [table(["invited", "as", "until"], invited)] : []),
  ];
  print(json, all, parts.join("\n\n"));
}
