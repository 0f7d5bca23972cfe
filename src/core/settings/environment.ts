export type Environment = Record<string, string | undefined>;

/** This process's own, which is read nowhere else. */
export const environmentHere = (): Environment => process.env;
