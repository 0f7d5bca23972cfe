import { choice } from "../vocabulary/fields";
import { triedServices } from "../vocabulary/kinds";
import { operation } from "./operation";

const owners = ["operator", "owner"] as const;

export const tryService = operation({
  name: "system.try",
  roles: owners,
  call: "POST system/try",
  fields: { service: choice({ label: "Service", choices: triedServices }) },
  answers: "findings",
  means: "What the service did, the worst first",
  summary: "Try the mail server, Stripe or Discord",
  description:
    "Mail: sends a test email to you. Stripe: tries each permission of the shop's key, without effect. Discord: gives the bot each role that customers get, and takes it back.",
});

export const listBackups = operation({
  name: "backup.read",
  roles: owners,
  call: "GET backups",
  answers: "backups",
  means: "The newest first",
  summary: "The backups at the place of scheduled ones",
});

export const makeBackup = operation({
  name: "shop.back_up",
  roles: ["operator", "owner", "shop"],
  code: true,
  call: "POST backups",
  reason: "required",
  answers: "backups",
  means: "With the new one, or `making` while it is not done yet",
  summary: "Make a backup now",
  description: "The place, the key and the number that are kept are those of scheduled backups.",
});
