import { maxSearchLength } from "../vocabulary/bounds";
import { choice, choicesOf, flag, idOf, line, word } from "../vocabulary/fields";
import { blockKinds, type OwnerMailKind } from "../vocabulary/kinds";
import { staffRoles } from "../vocabulary/statuses";
import { operation } from "./operation";

const owners = ["operator", "owner"] as const;
const changes = { roles: owners, code: true, reason: "required" } as const;

/* Who works for the shop */

export const listStaff = operation({
  name: "staff.read",
  roles: owners,
  call: "GET staff",
  answers: "staff",
  means: "In the order of their appointment",
  summary: "All staff, and open invitations",
});

export const addStaff = operation({
  ...changes,
  name: "staff.add",
  call: "POST staff",
  command: "staff add <name-or-email>",
  fields: {
    name_or_email: line({
      label: "Name or email",
      most: maxSearchLength,
      hint: "An account entered by name needs a confirmed email address.",
    }),
    role: choice({ label: "Role", choices: choicesOf(staffRoles) }),
  },
  answers: "staffAdded",
  means: "Changed or invited",
  summary: "Change a role, or invite an account or an address",
  description:
    "Someone who already has a role, given by name, gets the new one right away. Anyone else is mailed a link that gives the role once it is accepted, within 72 hours: an account at its confirmed address (`email_unconfirmed`), an address as it is.",
});

export const removeStaff = operation({
  ...changes,
  name: "staff.remove",
  call: "POST staff/{id}/remove",
  command: "staff remove <name-or-email>",
  answers: "staff",
  means: "The remaining staff",
  summary: "Remove a member of staff, or withdraw an invitation",
  description: "Their desk closes right away. The last owner can't be removed (`last_owner`).",
});

export const wakeStaff = operation({
  ...changes,
  name: "staff.wake",
  call: "POST staff/{id}/wake",
  command: "staff wake <name>",
  answers: "staff",
  means: "All staff",
  summary: "Wake the role of a member of staff",
  description: "A recovery that leaves an account without two-factor puts its role to sleep (`role_asleep`).",
});

/* What is shut out */

export const listBlocks = operation({
  name: "block.read",
  roles: owners,
  call: "GET blocks",
  fields: { kind: choice({ label: "Kind", choices: choicesOf(blockKinds), optional: true }) },
  page: true,
  answers: "block",
  means: "A page of the blocks",
  summary: "Everything that is blocked, newest first",
});

export const addBlock = operation({
  ...changes,
  name: "block.add",
  call: "POST blocks",
  fields: {
    kind: choice({ label: "What is blocked", choices: choicesOf(blockKinds) }),
    // the application sends a hardware ID as it is
    value: word({
      label: "Which",
      read: (typed) => typed.trim(),
      pattern: /^[^]{1,512}$/,
      mistake: "1 to 512 characters",
      optional: true,
      about: "A hardware ID, an email, an address or network such as 192.0.2.0/24, or a Discord user's id",
    }),
    customer: idOf({
      label: "Customer",
      optional: true,
      about: "For a device: the account whose computer it is",
    }),
    device: idOf({
      label: "Computer",
      optional: true,
      about: "With `customer`: which of several computers, by its id",
    }),
  },
  oneOf: ["value", "customer"],
  answers: "block",
  means: "The block",
  summary: "Block a device, an email, a network or a Discord user",
});

export const removeBlock = operation({
  ...changes,
  name: "block.remove",
  call: "POST blocks/{id}/remove",
  command: "blocks remove <id>",
  answers: "block",
  means: "The block that was lifted",
  summary: "Lift a block",
});

/* What the shop keeps failing to deliver */

export const listStuckJobs = operation({
  name: "outbox.read",
  roles: owners,
  call: "GET jobs",
  fields: { state: choice({ label: "State", choices: choicesOf(["stuck"]) }) },
  answers: "stuckJobs",
  means: "Those waiting longest first, at most 100",
  summary: "Deliveries that keep failing",
});

const onStuckJob = {
  roles: owners,
  id: idOf({ label: "Job", most: 400 }),
  answers: "outboxOutcome",
} as const;

export const retryStuckJob = operation({
  ...onStuckJob,
  name: "outbox.retry",
  call: "POST outbox/{id}/retry",
  command: "outbox retry <delivery>",
  reason: "optional",
  summary: "Try a delivery within seconds",
});

export const dropStuckJob = operation({
  ...onStuckJob,
  name: "outbox.drop",
  call: "POST outbox/{id}/drop",
  command: "outbox drop <delivery>",
  reason: "required",
  summary: "Give a delivery up for good",
});

/* What an owner is mailed about where nobody reads a staff channel */

export const showOwnerMails = operation({
  name: "owner_mail.read",
  permission: "owner_mail.choose",
  call: "GET me/notices",
  answers: "ownerMails",
  means: "By kind",
  summary: "What the calling owner is mailed about",
});

const mailed = { about: "Whether this owner is mailed about it" } as const;

export const chooseOwnerMails = operation({
  name: "owner_mail.choose",
  roles: ["owner"],
  call: "POST me/notices",
  fields: {
    disputes: flag({ label: "New disputes, with their deadline", ...mailed }),
    refund_proposals: flag({ label: "Proposed refunds", ...mailed }),
    address_proposals: flag({ label: "Proposed addresses of orders", ...mailed }),
    stuck_jobs: flag({ label: "Stuck jobs", ...mailed }),
    failed_backups: flag({ label: "Failed backups", ...mailed }),
  } satisfies Record<OwnerMailKind, unknown>,
  answers: "ownerMails",
  means: "By kind",
  summary: "Choose what you are mailed about",
  description:
    "At most one email an hour, and only where nobody reads a staff channel. Kinds that are left out stay as they are.",
});

/* What the shop was started with */

export const listSettings = operation({
  name: "settings.read",
  roles: owners,
  call: "GET settings",
  answers: "settings",
  means: "Every setting",
  summary: "The shop's settings, without secrets",
});
