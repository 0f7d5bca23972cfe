/** The attributes of a table for layout alone. */
export const layout = { role: "presentation", cellPadding: 0, cellSpacing: 0, border: 0 } as const;

/** A background that Outlook for Windows draws too; React's types don't know the attribute. */
export const ground = (color: string) => ({ bgcolor: color });
