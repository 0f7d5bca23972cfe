/** Some fields of an SDK object, with the SDK's own types; references are ids, never expanded. */
export type Part<T> = T extends readonly (infer E)[]
  ? PartOf<E>[]
  : T extends object
    ? string extends keyof T
      ? { [K in keyof T]: PartOf<T[K]> }
      : { [K in keyof T]?: PartOf<T[K]> }
    : T;
type PartOf<V> = string extends V ? Exclude<V, object> : Part<V>;

/** An object with the fields that some reader uses; those in `Sure` are always present. */
export type Kept<T, Sure extends keyof T> = Part<T> & Pick<T, Sure | Extract<keyof T, "id" | "created">>;

/** Like `Kept`, for fields that refer to other objects: those in `Sure` are present, with ids as references. */
export type Has<T, Sure extends keyof T> = Part<T> & {
  [K in Sure | Extract<keyof T, "id" | "created">]-?: Exclude<PartOf<T[K]>, undefined>;
};

/** A list as the API nests it in objects. */
export type ListOf<Rows extends readonly object[]> = {
  object: "list";
  data: Rows;
  has_more: boolean;
  url: string;
};

/** A whole list, as the API nests it. */
export const listOf = <Rows extends readonly object[]>(url: string, data: Rows): ListOf<Rows> => ({
  object: "list",
  data,
  has_more: false,
  url,
});
