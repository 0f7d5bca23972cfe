import { Activity, CircleCheck, CircleX, Fingerprint, Hourglass, type LucideIcon, Users } from "lucide-react";
import type { ReactNode } from "react";
import { isRateLimited } from "../../../api/client";
import { CopyButton } from "../../../parts/copy-button";
import { Card } from "../../../ui/card";
import { cn } from "../../../lib/utils";
import { Skeleton } from "../../../ui/skeleton";

type KnownShop = {
  userId: string;
  userCount: number | undefined;
  /** Whether the count has loaded or failed. */
  counted: boolean;
  problem: Error | null;
};

/** The shop's status, its number of users, and the account's id. */
export function ShopCards({ userId, userCount, counted, problem }: KnownShop) {
  return (
    <div className="grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3">
      <ShopCard name="Status" icon={Activity}>
        {counted || problem ? <ShopStatus problem={problem} /> : <Skeleton className="h-7 w-28" />}
      </ShopCard>
      <ShopCard name="Total Users" icon={Users}>
        {counted ? (userCount?.toLocaleString("en-US") ?? "Unavailable") : <Skeleton className="h-7 w-16" />}
      </ShopCard>
      <ShopCard name="User Id" icon={Fingerprint} className="sm:col-span-2 lg:col-span-1">
        <span className="flex min-w-0 items-center gap-1">
          <span title={userId} className="truncate font-mono text-[0.6875rem] font-normal tracking-normal">
            {userId || "Unavailable"}
          </span>
          {userId && <CopyButton text={userId} label="Copy user id" />}
        </span>
      </ShopCard>
    </div>
  );
}

function ShopCard(props: { name: string; icon: LucideIcon; className?: string; children: ReactNode }) {
  return (
    <Card className={cn("gap-3", props.className)} aria-label={props.name}>
      <h2 className="flex items-center justify-between text-sm font-medium text-muted-foreground">
        {props.name}
        <props.icon aria-hidden="true" className="size-4" />
      </h2>
      <div className="flex h-11 items-center text-2xl font-semibold tracking-tight">{props.children}</div>
    </Card>
  );
}

/** Online, offline or rate-limited. */
function ShopStatus({ problem }: { problem: Error | null }) {
  const [Icon, word, colour] = problemLook(problem);
  return (
    <output className={`flex items-center gap-2.5 ${colour}`}>
      <Icon aria-hidden="true" className="size-6" />
      <span>{word}</span>
    </output>
  );
}

function problemLook(problem: Error | null) {
  if (problem === null) return [CircleCheck, "Online", "text-success"] as const;
  return isRateLimited(problem)
    ? ([Hourglass, "Rate limited", "text-warning"] as const)
    : ([CircleX, "Offline", "text-destructive"] as const);
}
