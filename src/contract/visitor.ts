/** The `Server-Timing` entry, readable by scripts, of a page that was requested without a session cookie. */
export const visitorMark = "visitor";
