import { CircleCheck, CircleX, Hourglass } from "lucide-react";
import type { ReactNode } from "react";
import { isRateLimited } from "../../../api/client";
import { CopyButton } from "../../../parts/copy-button";
import { Skeleton } from "../../../ui/skeleton";

type Known = {
  userId: string;
  /** Null where a setting hides it; undefined until it has loaded. */
  userCount: number | null | undefined;
  /** Whether the count has loaded or failed. */
  counted: boolean;
  problem: Error | null;
};

/** The shop's status, its number of users, and the account's id, as a quiet strip. */
export function ShopFigures({ userId, userCount, counted, problem }: Known) {
  return (
    <div className="flex flex-wrap items-center gap-x-8 gap-y-1 rounded-xl border px-5 py-1.5 text-sm sm:px-6">
      <Figure name="Status">
        {counted || problem ? <ShopStatus problem={problem} /> : <Skeleton className="h-5 w-16" />}
      </Figure>
      {userCount !== null && (
        <Figure name="Total Users">
          {counted ? (
            (userCount?.toLocaleString("en-US") ?? "Unavailable")
          ) : (
            <Skeleton className="h-5 w-10" />
          )}
        </Figure>
      )}
      <Figure name="User Id">
        <span className="flex min-w-0 items-center gap-1">
          <span title={userId} className="truncate font-mono text-xs">
            {userId || "Unavailable"}
          </span>
          {userId && <CopyButton text={userId} label="Copy user id" />}
        </span>
      </Figure>
    </div>
  );
}

const Figure = ({ name, children }: { name: string; children: ReactNode }) => (
  <section aria-label={name} className="flex min-h-11 max-w-full min-w-0 items-center gap-2">
    <h2 className="shrink-0 text-muted-foreground">{name}</h2>
    <div className="flex min-w-0 items-center tabular-nums">{children}</div>
  </section>
);

/** Online, offline or rate-limited. */
function ShopStatus({ problem }: { problem: Error | null }) {
  const [Icon, word, colour] = look(problem);
  return (
    <output className={`flex items-center gap-1.5 ${colour}`}>
      <Icon aria-hidden="true" className="size-4" />
      <span>{word}</span>
    </output>
  );
}

function look(problem: Error | null) {
  if (problem === null) return [CircleCheck, "Online", "text-success"] as const;
  return isRateLimited(problem)
    ? ([Hourglass, "Rate limited", "text-warning"] as const)
    : ([CircleX, "Offline", "text-destructive-text"] as const);
}
