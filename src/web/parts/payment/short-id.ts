/** A payment's id in the list, and on its own page. Ids differ only towards the end. */
export const shortId = (id: string) => (id.length > 13 ? `…${id.slice(-12)}` : id);
