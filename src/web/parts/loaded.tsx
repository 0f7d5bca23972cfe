import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Problem } from "./problem";

/** A query's data, or its state: loading, failed or empty. */
export function Loaded<Data>(props: {
  query: Pick<UseQueryResult<Data>, "data" | "error" | "refetch">;
  skeleton: ReactNode;
  /** Shown instead of null or an empty list. */
  empty?: ReactNode;
  children: (data: NonNullable<Data>) => ReactNode;
}) {
  const { data, error, refetch } = props.query;
  if (data === undefined)
    return error ? <Problem problem={error} retry={() => void refetch()} /> : props.skeleton;
  if (data === null || (Array.isArray(data) && data.length === 0)) return props.empty;
  return props.children(data);
}
