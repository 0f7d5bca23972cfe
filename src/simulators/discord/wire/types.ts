/** Discord's own types, with enums replaced by their texts and numbers. */
export type Wire<T> = T extends string
  ? `${T}`
  : T extends number
    ? number
    : T extends object
      ? { [K in keyof T]: Wire<T[K]> }
      : T;
