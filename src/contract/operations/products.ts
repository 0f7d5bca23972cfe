import {
  mostCounted,
  mostOfAnOffersName,
  mostOfATitle,
  mostOfNews,
  mostPercent,
  mostTermDays,
  mostTrialDays,
} from "../vocabulary/bounds";
import { channels } from "../vocabulary/builds";
import { mostDevices } from "../vocabulary/devices";
import {
  amount,
  choice,
  choicesOf,
  flag,
  idOf,
  instant,
  line,
  schemaNamed,
  text,
  wholeNumber,
  word,
} from "../vocabulary/fields";
import { intervals } from "../vocabulary/kinds";
import { plainTyped } from "../vocabulary/typed-codes";
import { operation } from "./operation";

const reads = ["operator", "owner", "support", "viewer"] as const;
const owners = ["operator", "owner"] as const;

/* Offers */

const price = { label: "Price" } as const;
const term = {
  label: "Days",
  most: mostTermDays,
  hint: "From redemption. Empty: a lifetime, or as long as it is paid.",
} as const;
const computers = {
  label: "Computers",
  most: mostDevices,
  hint: "On how many at a time it may be used.",
} as const;
const trial = {
  label: "Trial days",
  most: mostTrialDays,
  hint: "Of a subscription, before the first payment. Empty: none.",
} as const;

export const listOffers = operation({
  name: "offer.read",
  roles: reads,
  call: "GET offers",
  fields: { state: choice({ label: "State", choices: choicesOf(["on_sale", "retired"]), optional: true }) },
  page: true,
  answers: "offer",
  means: "A page of the offers",
  summary: "Every offer: the shop's first offer, then the others, newest first",
});

export const addOffer = operation({
  name: "offer.add",
  roles: owners,
  code: true,
  call: "POST offers",
  command: "offers add <id>",
  reason: "optional",
  fields: {
    name: line({ label: "Name", most: mostOfAnOffersName }),
    id: word({
      label: "Id",
      hint: "Stands in links and orders for good.",
      pattern: /^[a-z0-9][a-z0-9-]{0,31}$/,
      mistake: "1 to 32 lowercase letters, digits and dashes",
      about: "Appears in links and orders, so it can't be changed",
    }),
    amount: amount(price),
    every: choice({
      label: "Paid",
      choices: choicesOf(intervals),
      nullable: true,
      otherwise: null,
      about: "How often it is paid; null: once",
    }),
    days: wholeNumber({ ...term, nullable: true, otherwise: null }),
    trial_days: wholeNumber({
      ...trial,
      nullable: true,
      otherwise: null,
      about: "The days before the first payment; null: none",
    }),
    devices: wholeNumber({ ...computers, otherwise: 1 }),
  },
  answers: "offer",
  means: "The offer",
  summary: "Put another offer on sale",
  description: "Its price is in the shop's currency.",
});

export const changeOffer = operation({
  name: "offer.change",
  roles: owners,
  code: true,
  call: "POST offers/{id}/change",
  reason: "optional",
  fields: {
    name: line({ label: "Name", most: mostOfAnOffersName, optional: true }),
    amount: amount({ ...price, optional: true }),
    days: wholeNumber({ ...term, nullable: true, optional: true }),
    trial_days: wholeNumber({ ...trial, nullable: true, optional: true }),
    devices: wholeNumber({ ...computers, optional: true }),
  },
  someOf: ["name", "amount", "days", "devices", "trial_days"],
  answers: "offer",
  means: "The offer",
  summary: "Change an offer for later sales",
  description: "Earlier sales keep their terms. Only `amount` of the shop's first offer can be changed.",
});

export const retireOffer = operation({
  name: "offer.retire",
  roles: owners,
  code: true,
  call: "POST offers/{id}/retire",
  command: "offers retire <id>",
  reason: "optional",
  answers: "offer",
  means: "The offer",
  summary: "Take an offer off sale for good",
  description: "Earlier sales keep their terms.",
});

/* Promotion codes, which Stripe keeps */

/** https://docs.stripe.com/api/promotion_codes/create#create_promotion_code-code */
const typedCode = {
  label: "Code",
  read: plainTyped,
  pattern: /^[A-Za-z0-9-]{1,64}$/,
  mistake: "1 to 64 letters, digits and dashes",
} as const;

export const listCodes = operation({
  name: "code.read",
  roles: reads,
  call: "GET codes",
  page: true,
  answers: "code",
  means: "A page of the codes",
  summary: "Every promotion code, newest first",
  description: "Read from Stripe.",
});

export const createCode = operation({
  name: "code.create",
  roles: owners,
  code: true,
  call: "POST codes",
  command: "codes create <code>",
  reason: "optional",
  fields: {
    code: word(typedCode),
    percent: wholeNumber({ label: "Percent", most: mostPercent, optional: true }),
    amount: amount({ label: "Amount", optional: true, about: "Minor units of the shop's currency" }),
    lasts: schemaNamed({
      label: "Of a subscription",
      schema: "codeLasts",
      otherwise: "once",
      about: "Of a subscription: its first payment, those of its first months, or all",
    }),
    most_uses: wholeNumber({
      label: "How often",
      most: mostCounted,
      optional: true,
      hint: "Empty: as often as people like.",
    }),
    expires_at: instant({
      label: "Last day",
      optional: true,
      hint: "Empty: it works until you retire it.",
    }),
  },
  oneOf: ["percent", "amount"],
  answers: "code",
  means: "The code",
  summary: "Make a promotion code that buyers can use at once",
});

export const retireCode = operation({
  name: "code.retire",
  roles: owners,
  code: true,
  call: "POST codes/{id}/retire",
  command: "codes retire <code>",
  id: word({ ...typedCode, about: "What buyers type" }),
  reason: "optional",
  answers: "code",
  means: "The code",
  summary: "End a promotion code; the path has the code that buyers type",
});

/* Releases; what is sent in parts stands in uploads.ts */

const version = idOf({ label: "Version", about: "The version" });

export const listReleases = operation({
  name: "release.read",
  roles: reads,
  call: "GET releases",
  fields: { channel: choice({ label: "Channel", choices: choicesOf(channels), optional: true }) },
  page: true,
  answers: "release",
  means: "A page of the releases",
  summary: "Every release, including withdrawn ones, newest first",
});

export const yankRelease = operation({
  name: "release.yank",
  roles: owners,
  code: true,
  call: "POST releases/{id}/yank",
  command: "releases yank <version>",
  id: version,
  reason: "optional",
  answers: "release",
  means: "The release",
  summary: "Withdraw a release; the one before it becomes current again",
});

export const rollOutRelease = operation({
  name: "release.roll_out",
  roles: owners,
  code: true,
  call: "POST releases/{id}/rollout",
  command: "releases rollout <version> <rollout>",
  id: version,
  reason: "optional",
  fields: { rollout: wholeNumber({ label: "Percent of the devices", least: 0, most: mostPercent }) },
  answers: "release",
  means: "The release",
  summary: "Change the percentage of devices that are offered a release",
});

/* The changelog */

const entry = {
  label: "Title",
  most: mostOfATitle,
} as const;
const notes = {
  label: "Text",
  most: mostOfNews,
  empty: true,
  hint: "Line breaks are kept.",
  about: "Markdown",
} as const;
const onEntry = {
  id: idOf({ label: "Entry", most: 100, about: "A release's version, or the id of other news" }),
  reason: "optional",
  answers: "news",
} as const;

export const listChangelog = operation({
  name: "changelog.read",
  roles: reads,
  call: "GET changelog",
  page: true,
  answers: "news",
  means: "A page of the changelog",
  summary: "The changelog, newest first",
});

export const addNews = operation({
  name: "changelog.add",
  roles: owners,
  call: "POST changelog",
  command: "changelog add",
  reason: "optional",
  fields: { title: line(entry), content: text(notes) },
  answers: "news",
  means: "The entry",
  summary: "Add news that doesn't belong to a release",
});

export const editNews = operation({
  ...onEntry,
  name: "changelog.edit",
  roles: owners,
  call: "POST changelog/{id}/edit",
  command: "changelog edit <id>",
  fields: { title: line({ ...entry, optional: true }), content: text({ ...notes, optional: true }) },
  someOf: ["title", "content"],
  means: "The entry",
  summary: "Edit a release's notes, or other news",
});

export const removeNews = operation({
  ...onEntry,
  name: "changelog.remove",
  roles: owners,
  call: "POST changelog/{id}/remove",
  command: "changelog remove <id>",
  means: "The entry that was removed",
  summary: "Remove news that doesn't belong to a release",
});

/* Announcements */

const letter = {
  subject: line({ label: "Subject", most: mostOfATitle }),
  content: text({ label: "Text", most: mostOfNews, about: "Markdown" }),
};
const audience = {
  licensed_only: flag({ label: "Only with an active license", otherwise: false }),
  offer: idOf({ label: "Offer", nullable: true, otherwise: null }),
};

export const listAnnouncements = operation({
  name: "announcement.read",
  roles: reads,
  call: "GET announcements",
  page: true,
  answers: "announcement",
  means: "A page of the announcements",
  summary: "Every announcement and its progress, newest first",
});

export const announce = operation({
  name: "announcement.make",
  roles: owners,
  code: true,
  call: "POST announcements",
  reason: "optional",
  fields: { ...letter, ...audience },
  answers: "announcement",
  means: "The announcement",
  summary: "Mail a letter to every customer, once each",
  description: "Sending the same letter again continues the same announcement.",
});

export const previewAnnouncement = operation({
  name: "announcement.preview",
  permission: "announcement.make",
  call: "POST announcements/preview",
  fields: { ...letter, ...audience },
  answers: "announcementPreview",
  means: "The letter",
  summary: "Preview a letter, and count who would get it",
  description: "Sends nothing and changes nothing.",
});

export const testAnnouncement = operation({
  name: "announcement.test",
  permission: "announcement.make",
  call: "POST announcements/test",
  fields: letter,
  answers: "mailedTo",
  means: "The address that it is being mailed to",
  summary: "Mail a letter only to yourself",
});

export const showAnnouncement = operation({
  name: "announcement.show",
  permission: "announcement.read",
  call: "GET announcements/{id}",
  answers: "announcementWhole",
  means: "The announcement",
  summary: "An announcement with its text",
});

export const stopAnnouncement = operation({
  name: "announcement.stop",
  roles: owners,
  code: true,
  call: "POST announcements/{id}/stop",
  command: "announce stop <id>",
  reason: "optional",
  answers: "announcement",
  means: "The announcement",
  summary: "Stop sending an announcement",
  description: "Letters already sent can't be recalled.",
});
