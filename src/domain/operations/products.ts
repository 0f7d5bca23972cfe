import { toWire } from "@/contract/wire/to-wire";
import * as declared from "@/contract/operations/products";
import { announcementRow, type AnnouncementRow } from "@/contract/wire/desk/announcements";
import { changelogRow } from "@/contract/wire/desk/changelog";
import { codeRow, type CodeRow } from "@/contract/wire/desk/codes";
import { offerRow } from "@/contract/wire/desk/offers";
import { buildRow, releaseRow, type ReleaseRow } from "@/contract/wire/desk/releases";
import type { Actor, By } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { salesByCodes } from "../figures/figures";
import {
  announce,
  announcementShown,
  announcementsShown,
  isOver,
  type ListedAnnouncement,
  previewAnnouncement,
  stopAnnouncement,
  testAnnouncement,
} from "../campaigns/announce";
import { addOffer, changeOffer, retireOffer } from "../offers/change";
import { type OfferShown, offerShown, offersShown } from "../offers/for-staff";
import { recurringOf } from "../offers/on-the-wire";
import { codesShown, createCode, retireCode } from "../payments/corrections/codes";
import type { PromotionCode } from "../payments/port/promotion-code";
import {
  addNews,
  changelogShown,
  editEntry,
  type Entry,
  entryShown,
  removeNews,
} from "../releases/changelog";
import { type ReleaseShown, releaseShown, releasesShown } from "../releases/for-staff";
import { setRollout, yank } from "../releases/publish";
import { implementList, implementPages, rowsAfter } from "./list";
import { implement, said, type Services } from "./operation";

type Done<Subject, Result = unknown> = { subject: Subject; result: Result; by: By };

/** What is on sale, or was. */
export const offerOperations = {
  listOffers: implementList(declared.listOffers, {
    async rows({ ctx }, { state }, page, { actor }) {
      const all = (await offersShown(ctx, actor)).filter((one) => state === undefined || one.state === state);
      return rowsAfter(all, page, placeOfOffer);
    },
    place: placeOfOffer,
    wire: wireOffer,
  }),
  addOffer: implement(declared.addOffer, {
    run: ({ ctx }, _, { trial_days: trialDays, ...offer }, by) =>
      addOffer(ctx, { ...offer, trialDays }, by).then(() => offer.id),
    answer: ({ ctx }, { result: id, by }) => offer(ctx, id, by.actor),
  }),
  changeOffer: implement(declared.changeOffer, {
    run: ({ ctx }, id, { trial_days: trialDays, ...change }, by) =>
      changeOffer(ctx, id, said({ ...change, trialDays }), by),
    answer: ({ ctx }, { subject: id, by }) => offer(ctx, id, by.actor),
  }),
  retireOffer: implement(declared.retireOffer, {
    run: ({ ctx }, id, _, by) => retireOffer(ctx, id, by),
    answer: ({ ctx }, { subject: id, by }) => offer(ctx, id, by.actor),
  }),
};

function placeOfOffer({ id, createdAt }: OfferShown) {
  return { id, at: createdAt };
}

const offer = async (ctx: Ctx, id: string, actor: Actor) => wireOffer(await offerShown(ctx, id, actor));

function wireOffer(one: OfferShown) {
  return toWire(offerRow, { ...one, recurring: recurringOf(one) });
}

/** Promotion codes, which Stripe keeps. */
export const codeOperations = {
  listCodes: implementPages(declared.listCodes, {
    ids: /^promo_/,
    async read({ ctx, checkout }, _, { limit: most, after }, { actor }) {
      const { codes, more } = await codesShown(await checkout(), { after, most }, actor);
      const brought = await salesByCodes(
        ctx,
        actor,
        codes.map((one) => one.code),
      );
      const rows = codes.map((one) =>
        wireCode(one, { ...nothing, ...brought.get(one.code), currency: ctx.currency }),
      );
      return { rows, next: more ? (codes.at(-1)?.id ?? null) : null };
    },
  }),
  createCode: implement(declared.createCode, {
    async run({ ctx, checkout }, _, { code, percent, amount, lasts, most_uses, expires_at }, by) {
      const wanted = {
        code,
        off: percent === undefined ? { amount: amount ?? 0 } : { percent },
        lasts,
        mostUses: most_uses ?? null,
        expiresAt: expires_at === undefined ? null : new Date(expires_at),
      };
      return createCode(ctx, await checkout(), wanted, by);
    },
    answer: code,
  }),
  retireCode: implement(declared.retireCode, {
    run: async ({ ctx, checkout }, id, _, by) => retireCode(ctx, await checkout(), id, by),
    answer: code,
  }),
};

const nothing = { orders: 0, gross: 0 };

async function code({ ctx }: Services, { result, by }: Done<unknown, PromotionCode>): Promise<CodeRow> {
  const brought = (await salesByCodes(ctx, by.actor, [result.code])).get(result.code);
  return wireCode(result, { ...nothing, ...brought, currency: ctx.currency });
}

const wireCode = (one: PromotionCode, brought: CodeRow["brought"]): CodeRow =>
  toWire(codeRow, { ...one, takesOff: one.off, brought });

/** The versions of the application. */
export const releaseOperations = {
  listReleases: implementList(declared.listReleases, {
    rows: ({ ctx }, { channel }, page, { actor }) => releasesShown(ctx, { channel, ...page }, actor),
    place: ({ id, publishedAt }) => ({ id, at: publishedAt }),
    wire: wireRelease,
  }),
  yankRelease: implement(declared.yankRelease, {
    run: ({ ctx }, version, _, by) => yank(ctx, version, by),
    answer: release,
  }),
  rollOutRelease: implement(declared.rollOutRelease, {
    run: ({ ctx }, version, { rollout }, by) => setRollout(ctx, version, rollout, by),
    answer: release,
  }),
};

async function release({ ctx }: Services, { subject: version, by }: Done<string>): Promise<ReleaseRow> {
  return wireRelease(await releaseShown(ctx, version, by.actor));
}

function wireRelease({ builds, ...one }: ReleaseShown) {
  return toWire(releaseRow, {
    ...one,
    ownKey: one.signingKey !== null,
    builds: builds.map((build) => toWire(buildRow, { ...build, name: build.fileName })),
  });
}

/** The notes of releases, and other news. */
export const changelogOperations = {
  listChangelog: implementList(declared.listChangelog, {
    rows: async ({ ctx }, _, page, { actor }) =>
      rowsAfter(await changelogShown(ctx, actor), page, placeOfNews),
    place: placeOfNews,
    wire: wireNews,
  }),
  addNews: implement(declared.addNews, {
    run: ({ ctx }, _, text, by) => addNews(ctx, text, by),
    answer: async ({ ctx }, { result: id, by }) => wireNews(await entryShown(ctx, id, by.actor)),
  }),
  editNews: implement(declared.editNews, {
    run: ({ ctx }, id, change, by) => editEntry(ctx, id, said(change), by),
    answer: async ({ ctx }, { subject: id, by }) => wireNews(await entryShown(ctx, id, by.actor)),
  }),
  removeNews: implement(declared.removeNews, {
    run: ({ ctx }, id, _, by) => removeNews(ctx, id, by),
    answer: async (_, { result }) => wireNews(result),
  }),
};

/** Without the characters of a version that a cursor can't have. */
function placeOfNews({ id, date }: Entry) {
  return { id: id.replace(/[^\w-]/g, "_"), at: date };
}

function wireNews(one: Entry) {
  return toWire(changelogRow, { ...one, release: one.isRelease });
}

/** Emails to all customers. */
export const announcementOperations = {
  listAnnouncements: implementList(declared.listAnnouncements, {
    rows: ({ ctx }, _, page, { actor }) => announcementsShown(ctx, page, actor),
    place: ({ id, createdAt }) => ({ id, at: createdAt }),
    wire: wireAnnouncement,
  }),
  announce: implement(declared.announce, {
    run: ({ ctx, mail }, _, { licensed_only: licensedOnly, ...letter }, by) =>
      announce(ctx, { ...letter, licensedOnly, mail }, by),
    answer: async (_, { result }) => wireAnnouncement(result),
  }),
  previewAnnouncement: implement(declared.previewAnnouncement, {
    run: ({ ctx }, _, { licensed_only: licensedOnly, ...letter }, { actor }) =>
      previewAnnouncement(ctx, { ...letter, licensedOnly }, actor),
    answer: async ({ renderEmail }, { result: { email, counted } }) => ({
      ...renderEmail(email),
      ...counted,
    }),
  }),
  testAnnouncement: implement(declared.testAnnouncement, {
    run: ({ ctx, mail, desk: { account } }, _, letter, by) =>
      testAnnouncement(ctx, letter, { account, mail, by }),
    answer: async (_, { result: email }) => ({ email }),
  }),
  showAnnouncement: implement(declared.showAnnouncement, {
    run: ({ ctx }, id, _, { actor }) => announcementShown(ctx, id, actor),
    answer: async (_, { result }) => ({ ...wireAnnouncement(result), content: result.content }),
  }),
  stopAnnouncement: implement(declared.stopAnnouncement, {
    run: ({ ctx }, id, _, by) => stopAnnouncement(ctx, id, by),
    answer: async ({ ctx }, { subject: id, by }) =>
      wireAnnouncement(await announcementShown(ctx, id, by.actor)),
  }),
};

function stateOfAnnouncement(one: ListedAnnouncement): AnnouncementRow["state"] {
  if (one.stoppedAt) return "stopped";
  return isOver(one) ? "done" : "under_way";
}

function wireAnnouncement(one: ListedAnnouncement) {
  const { customersChecked: looked, emailsQueued: posted } = one;
  return toWire(announcementRow, { ...one, looked, posted, state: stateOfAnnouncement(one) });
}
