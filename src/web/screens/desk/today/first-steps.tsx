import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Circle, CircleCheck } from "lucide-react";
import { Card, CardDescription, CardHeader, CardTitle } from "../../../ui/card";
import { firstPaymentQuery, firstStepsQuery } from "../../../api/desk/first-steps";

const steps = [
  ["stripe", "Connect Stripe", "Set its keys and its webhook, as docs/operations.md says."],
  ["release", "Publish a release", "Customers download what they bought from here."],
  ["offer", "Make an offer", "Sell a second price, a shorter time or more computers."],
  ["staff", "Invite staff", "Support answers tickets; you approve their refunds."],
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
        <CardDescription>Nothing is sold yet. This is what a shop needs before it is.</CardDescription>
      </CardHeader>
      <ol className="grid gap-4 sm:grid-cols-2">
        {steps.map(([step, name, note]) => {
          const Icon = done[step] ? CircleCheck : Circle;
          return (
            <li key={step} className="flex items-start gap-3 text-sm">
              <Icon
                aria-hidden="true"
                className={done[step] ? "mt-0.5 size-4 text-success" : "mt-0.5 size-4 text-muted-foreground"}
              />
              <span>
                <span className="font-medium">{name}</span>
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
