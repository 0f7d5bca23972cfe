/**
 * Lets what waits in this process go first, such as requests. Local queries and other long work are synchronous:
 * between two pieces of it, others get their turn.
 */
export const othersTurn = () => new Promise<void>((resolve) => void setImmediate(resolve));
