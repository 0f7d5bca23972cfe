import { minute } from "@/contract/vocabulary/time";
import { useQuery } from "@tanstack/react-query";
import { ChartArea, Table2 } from "lucide-react";
import { Suspense, useState } from "react";
import { Link } from "react-router";
import { type Figures as Answer, figuresQuery } from "../../../api/desk/figures";
import { useNow } from "../../../hooks/use-now";
import { late } from "../../../parts/late";
import { Problem } from "../../../parts/problem";
import { Button } from "../../../ui/button";
import { Card, CardTitle } from "../../../ui/card";
import { Skeleton } from "../../../ui/skeleton";
import { ByLevel, ByOffer } from "./by-offer";
import { FiguresTable } from "./figures-table";
import { bucketText } from "../parts/dates";
import { useOffers } from "../parts/offers";
import { measures, rowsBehind } from "./measures";
import { figuresQueryOf, useRange } from "./range";
import { RangeBar } from "./range-bar";
import { Subscriptions } from "./subscriptions";
import { Tile } from "./tile";

const Chart = late(async () => (await import("./chart")).Chart);

/** How the shop does: a tile for each figure, one of them large, all of them as a table, and what became of subscriptions. */
export function Figures() {
  const range = useRange();
  const now = useNow(minute);
  const offers = useOffers();
  const { data: usual } = useQuery(figuresQuery({}));
  const asked = figuresQueryOf(range, usual?.tz, now);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...figuresQuery(asked ?? {}),
    enabled: asked !== null,
  });
  return (
    <section aria-label="Figures" className="flex flex-col gap-4">
      <RangeBar range={range} figures={data} offers={offers} />
      {data ? (
        <div aria-busy={isPlaceholderData} className="flex flex-col gap-4 aria-busy:opacity-60">
          <Shown
            figures={data}
            offer={range.offer}
            wanted={range.measure}
            choose={(measure) => range.set({ measure })}
          />
        </div>
      ) : error ? (
        <Problem problem={error} retry={() => void refetch()} />
      ) : (
        <FiguresSkeleton />
      )}
      {data && data.totals.mrr !== null && <Subscriptions asked={asked} />}
      {data && asked && range.offer === "" && <ByOffer asked={asked} figures={data} />}
      {data && <ByLevel figures={data} />}
      {data && error && <Problem problem={error} retry={() => void refetch()} />}
    </section>
  );
}

function Shown(props: { figures: Answer; offer: string; wanted: string; choose: (field: string) => void }) {
  const { figures, offer, wanted, choose } = props;
  const [asTable, setAsTable] = useState(false);
  const shown = measures.filter(
    ({ field }) => figures.totals[field] !== null || (field !== "mrr" && field !== "new_accounts"),
  );
  const chosen = shown.find(({ field }) => field === wanted) ?? shown[0];
  if (!chosen) return null;
  const value = figures.totals[chosen.field];
  const Icon = asTable ? ChartArea : Table2;
  return (
    <>
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-[repeat(auto-fit,minmax(9rem,1fr))]">
        {shown.map((measure) => (
          <Tile
            key={measure.field}
            measure={measure}
            figures={figures}
            chosen={measure === chosen}
            onChoose={() => choose(measure.field)}
          />
        ))}
      </div>
      <Card aria-label={asTable ? "All figures" : chosen.name} className="gap-4">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <CardTitle>
            <span>{asTable ? "All figures" : chosen.name}</span>
            <span className="ml-2 text-sm font-normal text-muted-foreground">
              {bucketText(figures.from, "day")} to {bucketText(figures.to, "day")}, {figures.tz}
            </span>
          </CardTitle>
          <Button variant="outline" size="sm" onClick={() => setAsTable(!asTable)}>
            <Icon aria-hidden="true" />
            <span>{asTable ? "Show as chart" : "Show as table"}</span>
          </Button>
        </div>
        {asTable ? (
          <FiguresTable figures={figures} offer={offer} />
        ) : (
          <figure
            aria-label={`${chosen.name}: ${value === null ? "none" : chosen.write(value, figures.currency)} in total. The table has each ${figures.bucket}.`}
          >
            <Suspense fallback={<Skeleton className="h-64 w-full sm:h-80" />}>
              <Chart measure={chosen} figures={figures} />
            </Suspense>
          </figure>
        )}
        <p className="text-xs text-muted-foreground">
          <span>{chosen.means}</span>{" "}
          <span>Earlier days are recomputed when a payment or license changes.</span>{" "}
          <Link
            to={rowsBehind(chosen.list, figures, offer)}
            className="inline-flex min-h-11 items-center text-link underline underline-offset-4 md:min-h-0"
          >
            {behind[chosen.list]}
          </Link>
        </p>
      </Card>
    </>
  );
}

const behind = {
  payments: "Payments opened on these days",
  customers: "All customers",
  "licences?status=active": "Active licenses now",
  "subscriptions?status=active": "Active subscriptions now",
} as const;

function FiguresSkeleton() {
  return (
    <>
      <output className="sr-only">Loading…</output>
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-[repeat(auto-fit,minmax(9rem,1fr))]">
        {measures.slice(0, 6).map(({ field }) => (
          <Skeleton key={field} className="h-31 rounded-xl" />
        ))}
      </div>
      <Skeleton className="h-84 rounded-xl sm:h-104" />
    </>
  );
}
