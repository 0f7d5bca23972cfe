import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Refused } from "../../../api/client";
import { Problem } from "../../../parts/problem";
import { DeskPageSkeleton } from "../parts/desk-skeleton";
import { UnknownDeskPage } from "../parts/unknown-desk-page";

/** A thing's page once it is loaded; until then its skeleton, or why there is none. */
export function Detailed<Data>(props: {
  query: Pick<UseQueryResult<Data>, "data" | "error" | "refetch">;
  children: (data: Data) => ReactNode;
}) {
  const { data, error, refetch } = props.query;
  if (error instanceof Refused && error.status === 404) return <UnknownDeskPage />;
  if (data !== undefined) return props.children(data);
  if (!error) return <DeskPageSkeleton />;
  return (
    <>
      <h1 className="sr-only">Not loaded</h1>
      <Problem problem={error} retry={() => void refetch()} />
    </>
  );
}
