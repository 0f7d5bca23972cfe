import { X } from "lucide-react";
import { Link } from "react-router";
import { brand } from "@/brand/brand";
import type { Me } from "@/contract/wire/accounts";
import type { StatusAction } from "../../../parts/licence/status-action";
import { StatusButtons } from "../../../parts/licence/status-buttons";
import { StatusHead } from "../../../parts/licence/status-head";
import { UnusedKey } from "../../../parts/licence/unused-key";
import { isWithout } from "../../../page/without";
import type { Standing } from "../../../parts/licence/use-account-status";
import { Button } from "../../../ui/button";
import { Card } from "../../../ui/card";
import { cn } from "../../../lib/utils";
import { DiscordLink, FirstSteps } from "./first-steps";
import { useSetup } from "./use-setup";

/** Home's one card: where the customer stands, the one thing to do now, and the way to a running program. */
export function StatusCard({ standing, user }: { standing: Standing; user: Me }) {
  const { status, known } = standing;
  const { greets, leads, steps, close } = useSetup(user);
  const inSteps: StatusAction[] = [
    "key",
    ...(steps.downloaded ? [] : (["download", "mail", "link"] as const)),
    ...(steps.copied ? [] : (["token"] as const)),
  ];
  return (
    <Card aria-label="License status" className={cn("relative", greets && "border-ring/30")}>
      {greets && (
        <div className="flex flex-col gap-1.5 pr-10">
          <h2 className="text-xl leading-tight font-semibold wrap-break-word">{`Welcome, ${user.username}!`}</h2>
          {!leads && brand.links.community && !isWithout("discord") && (
            <p className="text-sm text-soft">
              <DiscordLink />
              <span> to get help and hear about updates first.</span>
            </p>
          )}
        </div>
      )}
      <div className={cn(leads && !greets && "pr-10")}>
        <StatusHead status={status} />
      </div>
      <UnusedKey keys={known.unused} first={status.primary === "add"} />
      {leads && <FirstSteps user={user} steps={steps} standing={standing} />}
      <StatusButtons status={status} user={user} without={leads ? inSteps : []}>
        {status.billing.length > 0 && (
          <Button asChild variant="outline">
            <Link to="/dashboard/license">Manage plan</Link>
          </Button>
        )}
      </StatusButtons>
      {(greets || leads) && (
        <Button
          variant="ghost"
          size="icon"
          aria-label={greets ? "Close welcome" : "Close first steps"}
          className="absolute top-3 right-3 text-muted-foreground"
          onClick={close}
        >
          <X aria-hidden="true" />
        </Button>
      )}
    </Card>
  );
}
