import { useQuery } from "@tanstack/react-query";
import { Fragment, type ReactNode } from "react";
import { useParams } from "react-router";
import { type Details, detailsQuery, type DetailsKind } from "../../../api/desk/details";
import { pollWhileTouched } from "../../../api/desk/presence";
import { useOpened } from "../palette/opened";
import { Detailed } from "./detailed";

/** The screen of one thing, by the id in its address; what was opened is found again under the name that it had. */
export const detailScreen = <Kind extends DetailsKind>(
  kind: Kind,
  of: {
    kind: string;
    nameOf: (thing: Details<Kind>) => string;
    page: (thing: Details<Kind>) => ReactNode;
    /** The polling interval in milliseconds, while somebody uses the page. */
    pollMilliseconds?: number;
  },
) =>
  function DetailScreen() {
    const { id = "" } = useParams();
    const query = useQuery({
      ...detailsQuery(kind, id),
      ...(of.pollMilliseconds !== undefined && { refetchInterval: pollWhileTouched(of.pollMilliseconds) }),
    });
    const { data } = query;
    useOpened(data ? { to: `/desk/${kind}/${id}`, name: of.nameOf(data), kind: of.kind } : null);
    return <Detailed query={query}>{(thing) => <Fragment key={id}>{of.page(thing)}</Fragment>}</Detailed>;
  };
