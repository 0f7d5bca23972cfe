import {
  maxCount,
  maxOfferNameLength,
  maxTitleLength,
  maxNewsLength,
  maxPercent,
  maxTermDays,
  maxTrialDays,
} from "../vocabulary/bounds";
import { channels } from "../vocabulary/builds";
import { maxDevices } from "../vocabulary/devices";
import {
  amount,
  choice,
  choicesOf,
  flag,
  idOf,
  instant,
  line,
  schemaNamed,
  slug,
  text,
  wholeNumber,
  word,
} from "../vocabulary/fields";
import { intervals } from "../vocabulary/kinds";
import { plainTyped } from "../vocabulary/typed-codes";
import { operation } from "./operation";

const reads = ["operator", "owner", "support", "viewer"] as const;
const owners = ["operator", "owner"] as const;
const sells = { roles: owners, code: true, reason: "optional" } as const;

/* Offers */

const onOffer = { ...sells, answers: "offer", means: "The offer" } as const;
const price = { label: "Price" } as const;
const term = {
  label: "Days",
  most: maxTermDays,
  hint: "Days from redemption. Leave empty for a lifetime or a subscription.",
} as const;
const computers = {
  label: "Computers",
  most: maxDevices,
  hint: "How many computers can use it at a time.",
} as const;
const trial = {
  label: "Trial days",
  most: maxTrialDays,
  hint: "Free days before a subscription's first payment. Leave empty for none.",
} as const;
const level = { label: "Level", optional: true } as const;
const hidden = {
  label: "Hidden from every list",
  about: "In no list, and sold only to those who have its address",
} as const;

export const listOffers = operation({
  name: "offer.read",
  roles: reads,
  call: "GET offers",
  fields: { state: choice({ label: "State", choices: choicesOf(["on_sale", "retired"]), optional: true }) },
  page: true,
  answers: "offer",
  means: "A page of the offers",
  summary: "Every offer, newest first",
});

export const addOffer = operation({
  ...onOffer,
  name: "offer.add",
  call: "POST offers",
  command: "offers add <id>",
  fields: {
    name: line({ label: "Name", most: maxOfferNameLength }),
    id: word({
      ...slug,
      hint: "Appears in links and orders. Can't be changed later.",
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
    level: idOf({ ...level, about: "The level that it sells; left out: the first" }),
    hidden: flag({ ...hidden, otherwise: false }),
  },
  summary: "Put another offer on sale",
  description: "Its price is in the shop's currency.",
});

export const changeOffer = operation({
  ...onOffer,
  name: "offer.change",
  call: "POST offers/{id}/change",
  fields: {
    name: line({ label: "Name", most: maxOfferNameLength, optional: true }),
    amount: amount({ ...price, optional: true }),
    days: wholeNumber({ ...term, nullable: true, optional: true }),
    trial_days: wholeNumber({ ...trial, nullable: true, optional: true }),
    devices: wholeNumber({ ...computers, optional: true }),
    level: idOf({ ...level, about: "The level that it sells" }),
    hidden: flag(hidden),
  },
  someOf: ["name", "amount", "days", "devices", "trial_days", "level", "hidden"],
  summary: "Change an offer for later sales",
  description: "Earlier sales keep their terms.",
});

export const retireOffer = operation({
  ...onOffer,
  name: "offer.retire",
  call: "POST offers/{id}/retire",
  command: "offers retire <id>",
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

const onCode = { ...sells, answers: "code", means: "The code" } as const;

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
  ...onCode,
  name: "code.create",
  call: "POST codes",
  command: "codes create <code>",
  fields: {
    code: word(typedCode),
    percent: wholeNumber({ label: "Percent", most: maxPercent, optional: true }),
    amount: amount({ label: "Amount", optional: true, about: "Minor units of the shop's currency" }),
    lasts: schemaNamed({
      label: "Of a subscription",
      schema: "codeLasts",
      otherwise: "once",
      about: "Of a subscription: its first payment, those of its first months, or all",
    }),
    most_uses: wholeNumber({
      label: "Maximum uses",
      most: maxCount,
      optional: true,
      hint: "No limit if empty.",
    }),
    expires_at: instant({
      label: "Last day",
      optional: true,
      hint: "Leave empty to keep it until you retire it.",
    }),
  },
  oneOf: ["percent", "amount"],
  summary: "Create a promotion code that buyers can use right away",
});

export const retireCode = operation({
  ...onCode,
  name: "code.retire",
  call: "POST codes/{id}/retire",
  command: "codes retire <code>",
  id: word({ ...typedCode, about: "What buyers type" }),
  summary: "End a promotion code; the path has the code that buyers type",
});

/* Releases; for what is sent in parts see uploads.ts */

const onRelease = {
  ...sells,
  id: idOf({ label: "Version", about: "The version" }),
  answers: "release",
  means: "The release",
} as const;

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
  ...onRelease,
  name: "release.yank",
  call: "POST releases/{id}/yank",
  command: "releases yank <version>",
  summary: "Withdraw a release; the one before it becomes current again",
});

export const rollOutRelease = operation({
  ...onRelease,
  name: "release.roll_out",
  call: "POST releases/{id}/rollout",
  command: "releases rollout <version> <rollout>",
  fields: { rollout: wholeNumber({ label: "Percent of computers", least: 0, most: maxPercent }) },
  summary: "Change the percentage of devices that are offered a release",
});

/* The changelog */

const entry = {
  label: "Title",
  most: maxTitleLength,
} as const;
const notes = {
  label: "Text",
  most: maxNewsLength,
  empty: true,
  hint: "Line breaks are kept.",
  about: "Markdown",
} as const;
const onEntry = {
  id: idOf({ label: "Entry", most: 100, about: "A release's version, or the id of other news" }),
  roles: owners,
  reason: "optional",
  answers: "news",
  means: "The entry",
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
  call: "POST changelog/{id}/edit",
  command: "changelog edit <id>",
  fields: { title: line({ ...entry, optional: true }), content: text({ ...notes, optional: true }) },
  someOf: ["title", "content"],
  summary: "Edit a release's notes, or other news",
});

export const removeNews = operation({
  ...onEntry,
  name: "changelog.remove",
  call: "POST changelog/{id}/remove",
  command: "changelog remove <id>",
  means: "The entry that was removed",
  summary: "Remove news that doesn't belong to a release",
});

/* Announcements */

const letter = {
  subject: line({ label: "Subject", most: maxTitleLength }),
  content: text({ label: "Text", most: maxNewsLength, about: "Markdown" }),
};
const audience = {
  licensed_only: flag({ label: "Only with an active license", otherwise: false }),
  offer: idOf({ label: "Offer", nullable: true, otherwise: null }),
};

const onAnnouncement = { ...sells, answers: "announcement", means: "The announcement" } as const;

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
  ...onAnnouncement,
  name: "announcement.make",
  call: "POST announcements",
  fields: { ...letter, ...audience },
  summary: "Email every customer, once each",
  description: "Sending the same email again continues the same announcement.",
});

export const previewAnnouncement = operation({
  name: "announcement.preview",
  permission: "announcement.make",
  call: "POST announcements/preview",
  fields: { ...letter, ...audience },
  answers: "announcementPreview",
  means: "The email",
  summary: "Preview an email, and count who would get it",
  description: "Sends nothing and changes nothing.",
});

export const testAnnouncement = operation({
  name: "announcement.test",
  permission: "announcement.make",
  call: "POST announcements/test",
  fields: letter,
  answers: "mailedTo",
  means: "The address that it is being mailed to",
  summary: "Send an email only to yourself",
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
  ...onAnnouncement,
  name: "announcement.stop",
  call: "POST announcements/{id}/stop",
  command: "announce stop <id>",
  summary: "Stop sending an announcement",
  description: "Emails already sent can't be recalled.",
});
