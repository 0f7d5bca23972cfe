import { useQuery } from "@tanstack/react-query";
import type { FiguresOfSubscriptions } from "@/contract/wire/desk/figures";
import type { SubscriptionRow } from "@/contract/wire/desk/rows";
import { type FiguresQuery, subscriptionFiguresQuery } from "../../../api/desk/figures";
import { Problem } from "../../../parts/problem";
import { Card, CardTitle } from "../../../ui/card";
import { Skeleton } from "../../../ui/skeleton";
import { DeskLink } from "../parts/desk-link";
import { share, whole } from "./measures";

/** How subscriptions began and ended, and what became of trials and failed payments, in the days that Today shows. */
export function Subscriptions({ asked }: { asked: FiguresQuery | null }) {
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...subscriptionFiguresQuery(asked ?? {}),
    enabled: asked !== null,
  });
  if (data === null) return null;
  return (
    <Card aria-label="Subscriptions" aria-busy={isPlaceholderData} className="gap-4 aria-busy:opacity-60">
      <CardTitle>Subscriptions</CardTitle>
      {data ? (
        <Shown figures={data} />
      ) : error ? (
        <Problem problem={error} retry={() => void refetch()} />
      ) : (
        <div className={grid}>
          {names.map((name) => (
            <Skeleton key={name} className="h-16" />
          ))}
        </div>
      )}
    </Card>
  );
}

const grid = "grid grid-cols-2 gap-3 sm:grid-cols-[repeat(auto-fit,minmax(9rem,1fr))]";
const names = ["Running", "Started", "Ended", "Trials", "Failed payments"] as const;

function Shown({ figures }: { figures: FiguresOfSubscriptions }) {
  return (
    <>
      <dl className={grid}>
        {linesOf(figures).map(({ name, value, more, status }) => (
          <div key={name} className="flex min-w-0 flex-col gap-1">
            <dt className="text-xs text-muted-foreground">{name}</dt>
            <dd className="text-lg font-semibold tracking-tight tabular-nums">
              {status === undefined ? (
                <span>{value}</span>
              ) : (
                <DeskLink to={`/desk/subscriptions?status=${status}`} name={value} />
              )}{" "}
              {more !== undefined && (
                <span className="block text-xs font-normal tracking-normal text-muted-foreground">
                  {more}
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
      <p className="text-xs text-muted-foreground">
        <span>What became of trials and failed payments is recomputed at every look.</span>{" "}
        {figures.more && <span>Only the newest 100,000 of each are counted.</span>}
      </p>
    </>
  );
}

/** `status`: of those that are listed behind it now. */
type Line = {
  name: (typeof names)[number];
  value: string;
  more?: string;
  status?: SubscriptionRow["status"];
};

function linesOf({ running, started, ended, churn, trials, payments }: FiguresOfSubscriptions): Line[] {
  return [
    {
      name: "Running",
      value: whole.format(running.end),
      more: changeText(running.end - running.start),
      status: "active",
    },
    { name: "Started", value: whole.format(started) },
    {
      name: "Ended",
      value: whole.format(ended),
      status: "ended",
      ...(churn !== null && { more: `${share.format(churn)} churn` }),
    },
    {
      name: "Trials",
      value: partOf(trials.paid, trials.begun),
      status: "trialing",
      ...(trials.begun > 0 && {
        more: `converted, ${whole.format(trials.running)} still running`,
      }),
    },
    {
      name: "Failed payments",
      value: partOf(payments.recovered, payments.failed),
      status: "past_due",
      ...(payments.failed > 0 && { more: "recovered" }),
    },
  ];
}

const changeText = (change: number): string =>
  change === 0 ? "no change" : `${change > 0 ? "+" : "−"}${whole.format(Math.abs(change))}`;

const partOf = (part: number, all: number): string =>
  all === 0 ? "None" : `${whole.format(part)} of ${whole.format(all)}`;
