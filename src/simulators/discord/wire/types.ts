/** Discord's own types, with the texts and numbers that their enums stand for. */
export type Wire<T> = T extends string
  ? `${T}`
  : T extends number
    ? number
    : T extends object
      ? { [K in keyof T]: Wire<T[K]> }
      : T;
