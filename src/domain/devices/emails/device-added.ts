import { eq } from "drizzle-orm";
import { brand } from "@/brand/brand";
import { utcTime } from "@/contract/vocabulary/dates";
import { noPayload } from "@/core/database/topic";
import { button, facts, heading, paragraph, quiet } from "../../mail/blocks";
import type { Email } from "../../mail/email";
import { plainWords } from "../../mail/format";
import { emailTemplate } from "../../mail/template";
import { provenEmail } from "../../accounts/sessions/account";
import { accounts } from "../../schema/accounts";
import { devices } from "../../schema/devices";

/** Tells an account's owner that a computer was added; the subject is the computer's id. */
export const deviceAddedEmail = emailTemplate({
  name: "mail.device-added",
  payload: noPayload,
  dropWhenOff: true,
  async prepare(ctx, { subject }, { publicUrl }) {
    const [found] = await ctx.store.db
      .select({ device: devices, account: accounts })
      .from(devices)
      .innerJoin(accounts, eq(accounts.id, devices.accountId))
      .where(eq(devices.id, subject));
    if (!found) return null;
    const { device, account } = found;
    return {
      to: provenEmail(account),
      id: `device-added.${subject}`,
      email: writeDeviceAdded({
        ...device,
        accountUrl: new URL("/dashboard/settings#devices", publicUrl).href,
      }),
      about: { subject: device.accountId, accountId: device.accountId },
    };
  },
});

type Content = { label: string; os: string; firstSeenAt: Date; accountUrl: string };

export const writeDeviceAdded = ({ label, os, firstSeenAt, accountUrl }: Content): Email => ({
  kind: "device-added",
  subject: "A computer was added to your account",
  preheader: `${brand.shortName} was activated on a new computer.`,
  blocks: [
    heading("A computer was added"),
    paragraph(`${brand.shortName} was activated on a new computer.`),
    button("See your computers", accountUrl),
    facts(["Computer", plainWords(label)], ["System", plainWords(os)], ["When", utcTime(firstSeenAt)]),
    quiet("If it wasn't you, remove the computer on that page and reset your auth token under Security."),
  ],
  why: "You're receiving this because it's about the security of your account.",
});
