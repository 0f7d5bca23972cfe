import { maxSearchLength } from "../vocabulary/bounds";
import { idOf, line } from "../vocabulary/fields";
import { operation } from "./operation";

const reads = { permission: "desk.read" } as const;
const whole = { ...reads, means: "The row, and what belongs to it" } as const;

/* A thing, and what belongs to it */

export const showCustomer = operation({
  ...whole,
  name: "customer.show",
  call: "GET customers/{id}",
  answers: "customerWhole",
  summary: "A customer, and what belongs to them",
});

export const showPayment = operation({
  ...whole,
  name: "payment.show",
  call: "GET payments/{id}",
  answers: "paymentWhole",
  summary: "A payment, its licences and refunds",
});

export const showLicence = operation({
  ...whole,
  name: "licence.show",
  call: "GET licences/{id}",
  answers: "licenceWhole",
  summary: "A licence, its key masked",
});

export const showSubscription = operation({
  ...whole,
  name: "subscription.show",
  call: "GET subscriptions/{id}",
  answers: "subscriptionWhole",
  summary: "A subscription, its licence and payments",
});

export const showTicket = operation({
  ...whole,
  name: "ticket.show",
  call: "GET tickets/{id}",
  answers: "ticketWhole",
  summary: "A ticket with its newest messages and notes",
});

/* What staff look at first */

export const searchDesk = operation({
  ...reads,
  name: "desk.search",
  call: "POST search",
  fields: { q: line({ label: "Search", most: maxSearchLength }) },
  answers: "found",
  means: "At most five of each",
  summary: "Search customers, payments, licences and tickets",
  description:
    "A `POST`, so that keys and addresses don't end up in URLs. Finds by an email or its domain, a user name or a Discord user's name or id, a key or its last group, a card's last four, a ticket's number, our ids, and Stripe's of sessions, payments, charges, invoices, refunds, disputes, subscriptions and customers. If it finds one customer, it also finds their payments, licences, subscriptions and tickets.",
});

export const showAttention = operation({
  ...reads,
  name: "desk.attention",
  call: "GET attention",
  answers: "attention",
  means: "Only kinds that have something",
  summary: "What needs attention, and where it can be settled",
});

export const listAuditActions = operation({
  name: "desk.read",
  roles: ["operator", "owner", "support", "viewer"],
  call: "GET audit/actions",
  answers: "names",
  means: "Names of actions",
  summary: "The actions in the audit log, for its filter `action`",
});

/* What staff asked for in Discord */

const byToken = { ...reads, fields: { token: idOf({ label: "Token", most: 128 }) } } as const;

export const showRequest = operation({
  ...byToken,
  name: "request.show",
  call: "POST requests",
  answers: "request",
  means: "In words",
  summary: "What the link from Discord asks to confirm",
});

export const confirmRequest = operation({
  ...byToken,
  name: "request.confirm",
  code: true,
  call: "POST requests/confirm",
  answers: "requestDone",
  means: "Done",
  summary: "Do what was asked for in Discord, once",
});

/* Figures */

const figures = { permission: "figures.read" } as const;

export const showFigures = operation({
  name: "figures.read",
  roles: ["operator", "owner", "support", "viewer"],
  call: "GET figures",
  takes: "figuresQuestion",
  answers: "figures",
  means: "The figures, and those of the same number of days before",
  summary: "The shop's figures by day, week or month",
  description:
    "Counts payments that ended in a license, in the mode of the shop's Stripe key. Weeks begin on Monday, but the first bucket begins with `from`. More than 400 rows are refused.",
});

export const showFiguresByOffer = operation({
  ...figures,
  name: "figures.offers",
  call: "GET figures/offers",
  takes: "figuresRange",
  answers: "figuresByOffer",
  means: "A row for each offer",
  summary: "The figures of each offer",
});

export const showFiguresOfSubscriptions = operation({
  ...figures,
  name: "figures.subscriptions",
  call: "GET figures/subscriptions",
  takes: "subscriptionsQuestion",
  answers: "figuresOfSubscriptions",
  means: "The figures of the range",
  summary: "How subscriptions started, continued and ended",
});

export const showFiguresOfSupport = operation({
  ...figures,
  name: "figures.support",
  call: "GET figures/support",
  takes: "supportQuestion",
  answers: "figuresOfSupport",
  means: "The figures of tickets that were opened or closed in the range",
  summary: "How tickets were answered, by topic and by member of staff",
});

export const showFiguresByCode = operation({
  ...figures,
  name: "figures.codes",
  call: "GET figures/codes",
  takes: "figuresRange",
  answers: "figuresByCode",
  means: "A row for each code",
  summary: "The figures of each promotion code that was used",
});
