import type { MouseEvent, ReactNode } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import type { AuditRow } from "@/contract/wire/desk/rows";
import { Timeline } from "./timeline";

/**
 * The page of one thing: what it is, the operations on it, everything that belongs to it, and a timeline at the side.
 * Use `Facts` and `Related` inside.
 */
export function DetailPage(props: {
  /** The list that it belongs to. */
  list: { to: string; name: string };
  title: string;
  /** Beside the title: its state. */
  badge?: ReactNode;
  operations?: ReactNode;
  timeline: readonly AuditRow[];
  /** Above the timeline. */
  aside?: ReactNode;
  children: ReactNode;
}) {
  const { list, title, badge, operations, timeline, aside, children } = props;
  return (
    <>
      <DetailHead
        list={list}
        heading={<h1 className="min-w-0 text-2xl font-semibold tracking-tight wrap-anywhere">{title}</h1>}
        badge={badge}
        operations={operations}
      />
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex min-w-0 flex-col gap-6">{children}</div>
        <div className="flex min-w-0 flex-col gap-6">
          {aside}
          <Timeline entries={timeline} />
        </div>
      </div>
    </>
  );
}

/** The way back, what is shown with its state, and what may be done to it. */
export function DetailHead(props: {
  list: { to: string; name: string };
  heading: ReactNode;
  badge?: ReactNode;
  operations?: ReactNode;
}) {
  const { list, heading, badge, operations } = props;
  const navigate = useNavigate();
  const { state } = useLocation() as { state: { list?: string } | null };
  const back = (event: MouseEvent) => {
    if (state?.list !== list.to || event.ctrlKey || event.metaKey || event.shiftKey) return;
    // to the row that was pressed, with the filters
    event.preventDefault();
    void navigate(-1);
  };
  return (
    <div className="flex flex-col gap-3">
      <Link
        to={list.to}
        onClick={back}
        className="inline-flex min-h-11 items-center self-start text-sm text-muted-foreground hover:text-foreground md:min-h-0"
      >
        {list.name}
      </Link>
      <div className="flex flex-wrap items-center gap-3">
        {heading}
        {badge}
      </div>
      {operations}
    </div>
  );
}
