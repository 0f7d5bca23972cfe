export type Environment = Record<string, string | undefined>;

/** Read here and in `brand/the-brand.ts` alone. */
export const environmentHere = (): Environment => process.env;
