/** The longest text of one message. */
export const mostTyped = 4_000;
/** The largest file, in bytes. */
export const mostFileBytes = 8 * 1024 * 1024;
/** How many open tickets a customer may have, whatever their topics. */
export const mostOpenTickets = 3;
