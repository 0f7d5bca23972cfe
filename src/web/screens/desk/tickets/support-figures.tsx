import { useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "react-router";
import type { FiguresOfSupport } from "@/contract/wire/desk/figures";
import { day, hour, second } from "@/contract/vocabulary/time";
import { isoDay } from "@/contract/vocabulary/dates";
import { itemQuery } from "../../../api/desk/collections";
import { showFiguresOfSupport } from "@/contract/operations/desk";
import { useNow } from "../../../hooks/use-now";
import { Loaded } from "../../../parts/loaded";
import { Card, CardTitle } from "../../../ui/card";
import { Label } from "../../../ui/label";
import { NativeSelect } from "../../../ui/native-select";
import { actorName } from "../parts/actor";
import { bucketText, lengthText } from "../parts/dates";
import { DeskLink } from "../parts/desk-link";
import { counted } from "../parts/format";
import { DeskPageSkeleton } from "../parts/desk-skeleton";
import type { Column } from "../table/columns";
import { DeskTable } from "../table/desk-table";
import { When } from "../parts/when";

const ranges = { "7": "7 days", "30": "30 days", "90": "90 days", "365": "A year" } as const;

/** How support does: waits for the first answer and for the end, stars with their comments, by topic and by person. */
export function SupportFigures() {
  const [parameters, setParameters] = useSearchParams();
  const wanted = parameters.get("range") ?? "";
  const range = Object.hasOwn(ranges, wanted) ? wanted : "30";
  const today = isoDay(useNow(hour));
  const from = isoDay(new Date(Date.parse(today) - (Number(range) - 1) * day));
  const query = useQuery(itemQuery(showFiguresOfSupport, range === "30" ? {} : { from, to: today }));
  return (
    <>
      <div className="flex flex-wrap items-end gap-3">
        <div className="mr-auto flex flex-col gap-1">
          <Link
            to="/desk/tickets"
            className="inline-flex min-h-11 items-center self-start text-sm text-muted-foreground hover:text-foreground md:min-h-0"
          >
            Tickets
          </Link>
          <h1 className="text-2xl font-semibold tracking-tight">Support&apos;s figures</h1>
        </div>
        <div className="flex flex-col gap-1.5">
          <Label htmlFor="range" className="text-xs text-muted-foreground">
            Range
          </Label>
          <NativeSelect
            choices={Object.entries(ranges)}
            id="range"
            value={range}
            onChange={({ target }) => setParameters({ range: target.value }, { replace: true })}
          />
        </div>
      </div>
      <Loaded query={query} skeleton={<DeskPageSkeleton />}>
        {(figures) => <Shown figures={figures} />}
      </Loaded>
    </>
  );
}

function Shown({ figures }: { figures: FiguresOfSupport }) {
  const { totals, months, topics, people, comments, more } = figures;
  const facts = [
    ["Opened", totals.opened.toLocaleString("en-US")],
    ["Closed", totals.closed.toLocaleString("en-US")],
    ["First answer", waitText(totals.first_answer)],
    ["Time to close", waitText(totals.closing)],
    ["Stars", starsText(totals.stars)],
  ] as const;
  return (
    <>
      <dl className="grid gap-3 sm:grid-cols-2 xl:grid-cols-5">
        {facts.map(([name, text]) => (
          <div key={name} className="flex flex-col gap-1 rounded-xl border bg-card p-4 shadow-card">
            <dt className="text-xs text-muted-foreground">{name}</dt>
            <dd className="text-lg font-semibold tabular-nums">{text}</dd>
          </div>
        ))}
      </dl>
      <p className="text-xs text-muted-foreground">
        <span>Tickets opened on these days, recomputed at every look.</span>{" "}
        {more && <span>Only the newest 20,000 are counted.</span>}
      </p>
      {months.length > 1 && (
        <Table
          title="By month"
          columns={monthColumns}
          rows={months.map((row) => ({ ...row, id: row.month })).toReversed()}
        />
      )}
      <Table
        title="By topic"
        columns={topicColumns}
        rows={topics.map((row) => ({ ...row, id: row.topic }))}
      />
      <Table
        title="By who answered first"
        columns={personColumns}
        rows={people.map((row) => ({ ...row, id: row.by.id }))}
      />
      {comments.length > 0 && (
        <Card aria-label="Comments" className="gap-4">
          <CardTitle>What customers wrote</CardTitle>
          <ul className="flex flex-col gap-4">
            {comments.map(({ ticket, stars, comment, opened_at }) => (
              <li key={ticket.id} className="flex flex-col gap-1 text-sm">
                <p className="whitespace-pre-wrap wrap-anywhere">{comment}</p>
                <p className="text-xs text-muted-foreground">
                  {counted(stars, "star")},{" "}
                  <DeskLink to={`/desk/tickets/${ticket.id}`} name={`#${ticket.number}`} />
                  , <When at={opened_at} />
                </p>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  );
}

type Month = FiguresOfSupport["months"][number] & { id: string };
type Topic = FiguresOfSupport["topics"][number] & { id: string };
type Person = FiguresOfSupport["people"][number] & { id: string };

const firstAnswer: Column<Pick<Topic, "first_answer">> = {
  id: "first_answer",
  name: "First answer",
  cell: (row) => waitText(row.first_answer),
  whole: true,
  phone: "line",
  said: "first answer",
};

const workColumns: readonly Column<Omit<Topic, "topic">>[] = [
  {
    id: "opened",
    name: "Opened",
    cell: ({ opened }) => opened.toLocaleString("en-US"),
    end: true,
    width: "7rem",
    said: "opened",
  },
  {
    id: "closed",
    name: "Closed",
    cell: ({ closed }) => closed.toLocaleString("en-US"),
    end: true,
    width: "7rem",
    said: "closed",
  },
  firstAnswer,
  {
    id: "closing",
    name: "Time to close",
    cell: (row) => waitText(row.closing),
    whole: true,
    phone: "line",
    said: "time to close",
  },
  { id: "stars", name: "Stars", cell: ({ stars }) => starsText(stars), width: "10rem" },
];

const monthColumns: readonly Column<Month>[] = [
  { id: "month", name: "Month", cell: ({ month }) => bucketText(month, "month"), leads: true },
  ...workColumns,
];

const topicColumns: readonly Column<Topic>[] = [
  { id: "topic", name: "Topic", cell: ({ topic }) => topic, leads: true },
  ...workColumns,
];

const personColumns: readonly Column<Person>[] = [
  { id: "by", name: "Who", cell: ({ by }) => actorName(by), leads: true },
  {
    id: "opened",
    name: "Answered first",
    cell: ({ opened }) => opened.toLocaleString("en-US"),
    end: true,
    width: "9rem",
    said: "first answers",
  },
  firstAnswer,
  { id: "stars", name: "Stars", cell: ({ stars }) => starsText(stars), width: "10rem" },
];

function Table<Row extends { id: string }>(props: {
  title: string;
  columns: readonly Column<Row>[];
  rows: Row[];
}) {
  const { title, columns, rows } = props;
  if (rows.length === 0) return null;
  return (
    <Card aria-label={title} className="gap-3">
      <CardTitle>{title}</CardTitle>
      <DeskTable label={title} columns={columns} rows={rows} to={() => null} nameOf={({ id }) => id} />
    </Card>
  );
}

/** `12 min median · 90% under 3 h` */
const waitText = (waits: FiguresOfSupport["totals"]["first_answer"]): string =>
  waits ? `${lengthText(waits.median * second)} median · 90% under ${lengthText(waits.p90 * second)}` : "–";

const starsText = ({ count, average }: FiguresOfSupport["totals"]["stars"]): string =>
  average === null
    ? "–"
    : `${average.toLocaleString("en-US", { maximumFractionDigits: 1 })} ★ · ${counted(count, "rating")}`;
