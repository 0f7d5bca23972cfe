/** One of the dashboard's own pages, as Stripe's page leads back to it: `/dashboard/ticket?id=12`. */
export const dashboardPath = /^\/dashboard(?:\/[a-z-]+)*(?:\?[\w=&-]+)?$/;
