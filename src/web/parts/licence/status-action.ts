/** What a customer can press about a licence. */
export type StatusAction =
  // the unused key goes on the account
  | "add"
  // the application: to this computer, to a computer by the shop's mail, or by a link to copy
  | "download"
  | "mail"
  | "link"
  | "token"
  | "key"
  | "renew"
  | "upgrade"
  | "buy"
  | "again"
  | "redeem"
  | "payment"
  | "support"
  | PlanAction;

/** What is done about a subscription, mostly on Stripe's page. */
export type PlanAction = "card" | "resume" | "switch" | "cancel" | "drop" | "invoices";
