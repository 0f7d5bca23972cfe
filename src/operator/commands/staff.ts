import { Argument, Command, Option } from "commander";
import { operator, type StaffRole } from "@/core/base/actor";
import { linkUrl } from "@/domain/accounts/sessions/link-token";
import { invitationHours } from "@/domain/staff/emails/invitation";
import { addStaff, removeStaff, staffOfShop, wakeStaff } from "@/domain/staff/staff-actions";
import {
  byOperator,
  example,
  type OpenShop,
  print,
  withJson,
  withReason,
  withShop,
} from "../terminal/command-line";
import { stamp, table } from "../terminal/table";

type Options = { reason: string; json?: boolean };
type Adding = Options & { role: StaffRole };

const named = () => new Argument("<name-or-email>", "an account's name, or an address");

/** `shop staff …` */
export function staffCommand(): Command {
  const noun = new Command("staff").description("who works at the desk: owners, support and viewers");
  withReason(noun.command("add"))
    .addArgument(named())
    .addOption(
      new Option("--role <role>", "what they may do")
        .choices(["owner", "support", "viewer"])
        .makeOptionMandatory(),
    )
    .description("give a member of staff another role; any other account, or an address, is invited by mail")
    .addHelpText("after", example('staff add olga --role owner --reason "runs the shop"'))
    .action((who: string, options: Adding) => withShop((shop) => add(shop, who, options)));
  withJson(noun.command("list"))
    .description("everybody with a role, who of them sleeps or lacks two-factor, and open invitations")
    .addHelpText("after", example("staff list"))
    .action(({ json }: { json?: boolean }) => withShop((shop) => list(shop, json)));
  withReason(noun.command("remove"))
    .addArgument(named())
    .description("take a role, or withdraw an invitation; their desk closes at once")
    .addHelpText("after", example('staff remove sam --reason "left the company"'))
    .action((who: string, { reason, json }: Options) =>
      withShop(async ({ ctx }) => {
        const outcome = await removeStaff(ctx, who.trim(), byOperator(reason));
        print(
          json,
          { outcome },
          outcome === "removed" ? `${who} has no role any more.` : "The invitation no longer works.",
        );
      }),
    );
  withReason(noun.command("wake"))
    .argument("<name>", "an account's name")
    .description("wake a role that sleeps since its account was recovered without two-factor")
    .addHelpText("after", example('staff wake olga --reason "we spoke on the phone"'))
    .action((who: string, { reason, json }: Options) =>
      withShop(async ({ ctx }) => {
        const { role } = await wakeStaff(ctx, who.trim(), byOperator(reason));
        print(json, { name: who, role }, `${who} is awake: ${role}.`);
      }),
    );
  return noun;
}

async function add({ ctx, config }: OpenShop, who: string, { role, reason, json }: Adding): Promise<void> {
  const mail = config.mail === "off" ? "off" : "on";
  const wanted = { named: who.trim(), role, mail } as const;
  const { account, invitation } = await addStaff(ctx, wanted, byOperator(reason));
  if (!invitation) {
    print(json, { account, role, invitation: null }, `${account.username} is ${role} now.`);
    return;
  }
  const { id, email, token } = invitation;
  const link = mail === "off" ? linkUrl(config.publicUrl, "/invitation", token) : null;
  const words = link
    ? `Mail is off, so hand ${email} this link yourself. It works once, for ${invitationHours} hours:\n${link}`
    : `An invitation goes to ${email}. It works once, for ${invitationHours} hours.`;
  print(json, { account: null, role, invitation: { id, email, link } }, words);
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
