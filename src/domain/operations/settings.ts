import { toWire } from "@/contract/wire/to-wire";
import * as declared from "@/contract/operations/settings";
import { blockRow } from "@/contract/wire/desk/blocks";

import { type StaffAdded, staffInvitation, type StaffList, staffMember } from "@/contract/wire/desk/staff";
import type { By } from "@/core/base/actor";
import { defaultInWords } from "@/core/settings/given-settings";
import { settings } from "@/core/settings/settings";
import { linkUrl } from "../accounts/sessions/link-token";
import { blocksShown, removeBlock } from "../blocks/staff-actions";
import { addTypedBlock } from "../customers/block-computer";
import { dropStuckJob, retryStuckJob, listStuckJobs } from "../jobs/stuck-jobs";
import { chooseOwnerNotices, ownerNoticesOf } from "../notices/owner-mail";
import { type Appointed, addStaff, removeStaff, staffOfShop, wakeStaff } from "../staff/staff-actions";
import { expectMaySeeSettings } from "../system/system";

import { implementList } from "./list";
import { implement, resultItself, type Services } from "./operation";

/** Who works for the shop. */
export const staffOperations = {
  listStaff: implement(declared.listStaff, { run: async () => null, answer: staff }),
  addStaff: implement(declared.addStaff, {
    run: ({ ctx, mail }, _, { name_or_email: named, role }, by) => addStaff(ctx, { named, role, mail }, by),
    answer: addedAnswer,
  }),
  removeStaff: implement(declared.removeStaff, {
    run: ({ ctx }, id, _, by) => removeStaff(ctx, id, by),
    answer: staff,
  }),
  wakeStaff: implement(declared.wakeStaff, {
    run: ({ ctx }, id, _, by) => wakeStaff(ctx, id, by),
    answer: staff,
  }),
};

async function staff({ ctx }: Services, { by }: { by: By }): Promise<StaffList> {
  const { members, invitations } = await staffOfShop(ctx, by);
  return {
    members: members.map((one) => toWire(staffMember, one)),
    invitations: invitations.map((one) => toWire(staffInvitation, one)),
  };
}

async function addedAnswer(
  { mail, config }: Services,
  { result: { account, role, invitation } }: { result: Appointed },
): Promise<StaffAdded> {
  if (!invitation) return { account, role, invitation: null };
  const { id, email, token } = invitation;
  const link = mail === "off" ? linkUrl(config.publicUrl, "/invitation", token) : null;
  return { account: null, role, invitation: { id, email, link } };
}

/** Devices, emails, networks and Discord users that are shut out. */
export const blockOperations = {
  listBlocks: implementList(declared.listBlocks, {
    rows: ({ ctx }, { kind }, page, { actor }) => blocksShown(ctx, { kind, ...page }, actor),
    place: ({ id, createdAt }) => ({ id, at: createdAt }),
    wire: (one) => toWire(blockRow, one),
  }),
  addBlock: implement(declared.addBlock, {
    run: ({ ctx }, _, typed, by) => addTypedBlock(ctx, typed, by),
    answer: async (_, { result }) => toWire(blockRow, result),
  }),
  removeBlock: implement(declared.removeBlock, {
    run: ({ ctx }, id, _, by) => removeBlock(ctx, id, by),
    answer: async (_, { result }) => toWire(blockRow, result),
  }),
};

/** Jobs of the outbox that keep failing, and what the calling owner is mailed about. */
export const outboxOperations = {
  listStuckJobs: implement(declared.listStuckJobs, {
    run: ({ ctx }, _, _given, { actor }) => listStuckJobs(ctx, actor),
    answer: async (_, { result: rows }) => ({ rows }),
  }),
  retryStuckJob: implement(declared.retryStuckJob, {
    run: ({ ctx }, id, _, by) => retryStuckJob(ctx, id, by),
    answer: async (_, { subject: id }) => ({ id, state: "retried" as const }),
  }),
  dropStuckJob: implement(declared.dropStuckJob, {
    run: ({ ctx }, id, _, by) => dropStuckJob(ctx, id, by),
    answer: async (_, { subject: id }) => ({ id, state: "dropped" as const }),
  }),
  showOwnerMails: implement(declared.showOwnerMails, {
    run: ({ ctx, desk }) => ownerNoticesOf(ctx, desk.actor),
    answer: resultItself,
  }),
  chooseOwnerMails: implement(declared.chooseOwnerMails, {
    run: ({ ctx, desk }, _, choice, { reason }) => chooseOwnerNotices(ctx, desk.actor, { choice, reason }),
    answer: resultItself,
  }),
};

/** What the shop was started with. */
export const settingOperations = {
  listSettings: implement(declared.listSettings, {
    async run({ config }, _, _given, { actor }) {
      expectMaySeeSettings(actor);
      return config.given;
    },
    answer: async (_, { result }) => ({
      rows: result.map(({ isSet, ...one }) => ({
        ...one,
        set: isSet,
        otherwise: defaultInWords(one.name),
        meaning: settings[one.name].meaning,
      })),
      next: null,
    }),
  }),
};
