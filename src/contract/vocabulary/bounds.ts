export const maxKeysPerOrder = 100;

/** The longest sender's name and message of a gift, in characters. */
export const giftLimits = { from: 40, message: 500 };

/** The longest text of one message. */
export const maxMessageLength = 4_000;
/** The largest file, in bytes. */
export const maxFileBytes = 8 * 1024 * 1024;
/** The largest build of a release, in bytes; 1,024 parts. */
export const maxBuildBytes = 4 * 1024 * 1024 * 1024;
/** For how many days a closed ticket may be reopened. */
export const reopenDays = 7;
/** How many open tickets a customer may have, whatever their topics. */
export const maxOpenTickets = 3;

/** The most that Stripe takes for an order, in minor units of any currency; also of what a code takes off. */
export const maxPrice = 99_999_999;

/** How long a licence or an offer may run, in days: a hundred years. Anything longer should be a lifetime. */
export const maxTermDays = 36_500;
/** How many days staff add to a licence at once, and support in any 30 days. */
export const maxAddedDays = 3_650;
export const maxAddedDaysBySupport = 30;
/** How long a trial lasts, in days: https://docs.stripe.com/payments/checkout/free-trials */
export const maxTrialDays = 730;
/** How often a code may be used, and anything else that is counted. */
export const maxCount = 1_000_000_000;
/** Of an offer, or of the computers that get a release. */
export const maxPercent = 100;
/** The most licences that one job issues at the desk, and that the command line prints as a file. */
export const maxIssuedPerJob = 10_000;
export const maxBatchSize = 1_000_000;

/** A shop's levels, retired ones included, and their different features. */
export const maxLevels = 20;
export const maxFeatures = 64;
/** Counting those who have a level stops here. */
export const maxHolders = 10_000;

/** The length of a reason that staff give, and of a note. */
export const reasonLength = { least: 3, most: 300 };
export const maxNoteLength = 1_000;
/** Of a note at the desk, about a customer or in a ticket. */
export const maxDeskNoteLength = 4_000;
/** Of one ticket, whose page has them all. */
export const maxTicketNotes = 100;
/** What an owner adds to the evidence for a bank, in characters: what Stripe takes in one field. */
export const maxEvidenceText = 20_000;
/** The longest names and titles, in characters. */
export const maxOfferNameLength = 80;
export const maxLevelNameLength = 80;
export const maxServerKeyNameLength = 64;
export const maxReplyNameLength = 60;
export const maxTitleLength = 200;
/** The longest text of an announcement or of a release's notes, in characters. */
export const maxNewsLength = 50_000;
/** The longest version and id of ours, and the longest email address (RFC 5321) or other text that something is found by. */
export const maxVersionLength = 64;
export const maxIdLength = 64;
export const maxSearchLength = 254;
