/** One of the dashboard's own pages, as Stripe's page leads back to it: `/dashboard/ticket?id=12`. */
export const dashboardPath = /^\/dashboard(?:\/[a-z-]+)*(?:\?[\w=&-]+)?$/;

/** The parameter of the page that Stripe's leads back to: the subscription that may have changed. */
export const changedSubscription = "changed";

/** A `Server-Timing` entry, readable by scripts, on pages requested without a session cookie. */
export const visitorMark = "visitor";
