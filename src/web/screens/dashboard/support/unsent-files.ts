/** Files that a new ticket could not take, for the form on its page. */
const unsent = new Map<string, File[]>();

export const keepUnsent = (ticketId: string, files: File[]) => void unsent.set(ticketId, files);
export const unsentFiles = (ticketId: string): File[] => unsent.get(ticketId) ?? [];
export const forgetUnsent = (ticketId: string) => void unsent.delete(ticketId);
