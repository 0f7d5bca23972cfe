import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Circle, CircleCheck } from "lucide-react";
import { Link } from "react-router";
import { cn } from "../../../lib/utils";
import { Card, CardDescription, CardHeader, CardTitle } from "../../../ui/card";
import { firstPaymentQuery, firstStepsQuery } from "../../../api/desk/first-steps";

const steps = [
  ["stripe", "Connect Stripe", "Set its keys and its webhook's secret.", "settings/system"],
  ["release", "Publish a release", "Customers download what they bought from here.", "products/releases"],
  ["offer", "Add an offer", "If you like: a shorter term, or more computers.", "products"],
  ["staff", "Invite staff", "Support answers tickets; you approve their refunds.", "settings/staff"],
] as const;

/** What an owner of an empty shop does first; each step ticks itself. Nothing once something was sold. */
export function FirstSteps() {
  const { data: payments } = useInfiniteQuery(firstPaymentQuery);
  const isEmpty = payments?.pages[0]?.rows.length === 0;
  const { data: done } = useQuery({ ...firstStepsQuery, enabled: isEmpty });
  if (!isEmpty || !done) return null;
  return (
    <Card aria-label="First steps">
      <CardHeader>
        <CardTitle>First steps</CardTitle>
        <CardDescription>
          Nothing has been sold yet. Start here; docs/operations.md lists every step to the first sale.
        </CardDescription>
      </CardHeader>
      <ol className="grid gap-4 sm:grid-cols-2">
        {steps.map(([step, name, note, place]) => {
          const Icon = done[step] ? CircleCheck : Circle;
          return (
            <li key={step} className="flex items-start gap-3 text-sm">
              <Icon
                aria-hidden="true"
                className={cn(
                  "mt-0.5 size-4 shrink-0",
                  done[step] ? "text-success" : "text-muted-foreground",
                )}
              />
              <span>
                <Link
                  to={`/desk/${place}`}
                  className="font-medium text-link underline-offset-4 hover:underline"
                >
                  {name}
                </Link>
                <span className="sr-only">{done[step] ? " (done)" : " (to do)"}</span>
                <span className="block text-muted-foreground">{note}</span>
              </span>
            </li>
          );
        })}
      </ol>
    </Card>
  );
}
