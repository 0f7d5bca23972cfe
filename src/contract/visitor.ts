/** Name in a page's `Server-Timing`, which scripts can read: it was asked for without a session's cookie. */
export const visitorMark = "visitor";
