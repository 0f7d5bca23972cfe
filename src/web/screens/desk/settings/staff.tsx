import { useQuery } from "@tanstack/react-query";
import {
  AlarmClock,
  MailPlus,
  Moon,
  ShieldAlert,
  ShieldCheck,
  UserCog,
  UserMinus,
  UserPlus,
  UsersRound,
} from "lucide-react";
import { addStaff, listStaff, removeStaff, wakeStaff } from "@/contract/operations/settings";
import type { StaffList } from "@/contract/wire/desk/staff";
import { itemQuery } from "../../../api/desk/collections";
import type { StaffRole } from "../../../api/desk/session";
import { RowsSection, type RowsDefinition } from "../collection/rows-section";
import { useMe } from "../parts/me";
import { deskOperation, type Operation } from "../operation/operation";
import { ShownOnce } from "../parts/shown-once";
import { whenColumn } from "../table/columns";

type Member = StaffList["members"][number];
type Invitation = StaffList["invitations"][number];

const roleChoices: Record<StaffRole, string> = {
  viewer: "Viewer: reads, keys masked",
  support: "Support: also tickets, devices, extensions, proposed refunds and addresses",
  owner: "Owner: everything",
};

const members: RowsDefinition<Member> = {
  title: "Staff",
  lead: "Team members with access to the desk. Two-factor is required.",
  icon: UsersRound,
  columns: [
    { id: "name", name: "Name", cell: ({ account }) => account.username, leads: true },
    { id: "email", name: "Email", cell: ({ account }) => account.email, width: "minmax(0,1.4fr)" },
    { id: "role", name: "Role", cell: roleOf, width: "10rem" },
    { id: "two_factor", name: "Two-factor", cell: twoFactor, width: "7rem", said: "two-factor" },
    whenColumn("since", "Since", ({ since }) => since, { width: "8rem", phone: "time" }),
  ],
  nameOf: ({ account }) => account.username,
  to: ({ account }) => `/desk/customers/${account.id}`,
  empty: "No staff yet.",
};

const invitations: RowsDefinition<Invitation> = {
  title: "Open invitations",
  lead: "Each link works once, within 72 hours.",
  icon: MailPlus,
  columns: [
    { id: "email", name: "Email", cell: ({ email }) => email, leads: true },
    { id: "role", name: "Role", cell: ({ role }) => role, width: "6rem" },
    whenColumn("created_at", "Sent", ({ created_at }) => created_at, { phone: "time" }),
    whenColumn("expires_at", "Expires", ({ expires_at }) => expires_at, { said: "expires" }),
  ],
  nameOf: ({ email }) => email,
  empty: "No open invitations.",
};

/** Who works for the shop, and who is invited. */
export function Staff() {
  const { name } = useMe();
  const { data, error, refetch } = useQuery(itemQuery(listStaff, {}));
  const shared = { problem: error, retry: () => void refetch() };
  return (
    <>
      <RowsSection
        of={members}
        rows={data?.members}
        make={[add]}
        operationsOf={(member) => [
          ...(member.asleep_since ? [wake(member)] : []),
          changeRole(member),
          removeMember(member, name),
        ]}
        {...shared}
      />
      {data && data.invitations.length > 0 && (
        <RowsSection
          of={invitations}
          rows={data.invitations}
          operationsOf={(one) => [withdraw(one)]}
          {...shared}
        />
      )}
    </>
  );
}

function roleOf({ role, asleep_since: asleep }: Member) {
  if (!asleep) return role;
  return (
    <span className="text-warning">
      <Moon aria-hidden="true" className="mr-1.5 inline size-4" />
      <span>{`${role}, asleep`}</span>
    </span>
  );
}

function twoFactor({ two_factor: is }: Member) {
  const Icon = is ? ShieldCheck : ShieldAlert;
  return (
    <span className={is ? "text-success" : "text-warning"}>
      <Icon aria-hidden="true" className="mr-1.5 inline size-4" />
      <span>{is ? "On" : "Off"}</span>
    </span>
  );
}

const add = deskOperation(addStaff, {
  name: "Add staff",
  icon: UserPlus,
  consequence: ({ name_or_email: who, role = "" }) =>
    `Emails ${who || "them"} a link to join the staff as ${role}. Someone who is already on the staff, entered by name, gets the role right away.`,
  fields: { role: { choices: roleChoices, initial: "support" } },
  done: ({ account, invitation }) =>
    invitation ? `${invitation.email} is invited` : `Role of ${account?.username} changed`,
  result: ({ account, role, invitation }) =>
    invitation?.link ? (
      <ShownOnce
        text={invitation.link}
        note={`This shop sends no email. Send ${invitation.email} this link yourself. It works once, within 72 hours, and is shown only here.`}
      />
    ) : (
      <p className="text-sm wrap-anywhere">
        {invitation
          ? `We're emailing ${invitation.email} a link that works for 72 hours.`
          : `${account?.username} is now ${role}.`}
      </p>
    ),
});

const changeRole = ({ account, role }: Member): Operation =>
  deskOperation(addStaff, {
    name: "Change role",
    icon: UserCog,
    consequence: ({ role: next = role }) =>
      next === role
        ? `${account.username} is ${role}.`
        : `Makes ${account.username} ${next} instead of ${role}. Their desk closes right away, and opens again with a code.`,
    fields: { name_or_email: null, role: { choices: roleChoices, initial: role } },
    sent: ({ role: next }) => ({ name_or_email: account.username, role: next as StaffRole }),
    done: (answer) => `${account.username} is ${answer.role}`,
  });

const wake = ({ id, account, role }: Member): Operation =>
  deskOperation(wakeStaff, {
    id,
    name: "Wake",
    icon: AlarmClock,
    consequence: () =>
      `Makes ${account.username} ${role} again. The role has been asleep since someone recovered the account by email and no two-factor was left. First ask them, but not by email, whether that was them.`,
    done: () => `${account.username} is awake`,
  });

const removeMember = ({ id, account }: Member, me: string): Operation =>
  deskOperation(removeStaff, {
    id,
    name: "Remove",
    icon: UserMinus,
    grave: true,
    consequence: () =>
      `Removes ${account.username} from the staff. ${account.username === me ? "Your own" : "Their"} desk closes right away. The account stays.`,
    done: () => `${account.username} is no longer on the staff`,
  });

const withdraw = ({ id, email }: Invitation): Operation =>
  deskOperation(removeStaff, {
    id,
    name: "Withdraw",
    icon: UserMinus,
    grave: true,
    consequence: () => `The invitation for ${email} stops working.`,
    done: () => "Invitation withdrawn",
  });
