export type Environment = Record<string, string | undefined>;

/** `process.env` is read here and in `brand/the-brand.ts` alone. */
export const environmentHere = (): Environment => process.env;
