/** A `Server-Timing` entry, readable by scripts, on pages requested without a session cookie. */
export const visitorMark = "visitor";
