import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useNavigate } from "react-router";
import { listOffers } from "@/contract/operations/products";
import { NotConfirmed } from "../../../api/desk/call";
import { collectionQuery } from "../../../api/desk/collections";
import { type IssueOrder, previewIssue, startIssue } from "../../../api/desk/jobs";
import { Refused } from "../../../api/client";
import { useFilledForm } from "../../../hooks/use-filled-form";
import { Field, FieldNote } from "../../../parts/field";
import { FormAlert } from "../../../parts/form-alert";
import { PatientButton } from "../../../parts/patient-button";
import { Button } from "../../../ui/button";
import { Card, CardTitle } from "../../../ui/card";
import { Label } from "../../../ui/label";
import { NativeSelect } from "../../../ui/native-select";
import { RecentJobs } from "../bulk/recent-jobs-list";
import { counted } from "../parts/format";
import { levelChoices, useLevels } from "../parts/levels";
import { wholeNumber } from "../operation/checks";
import { failureText } from "../operation/operation-dialog";
import { maxIssuedPerJob } from "@/contract/vocabulary/bounds";

const names = ["offer", "level", "count", "email", "reason"] as const;

/** Issues licences without payments: asks, says how many, and only then starts the job. */
export function Issue() {
  const navigate = useNavigate();
  const [order, setOrder] = useState<IssueOrder>();
  const preview = useMutation({ mutationKey: ["desk", "issue"], mutationFn: previewIssue });
  const start = useMutation({
    mutationKey: ["desk", "issue"],
    mutationFn: startIssue,
    onSuccess: ({ job }) => void navigate(`/desk/jobs/${job}`),
  });
  const seen = preview.data;
  const failed = start.error instanceof NotConfirmed ? null : start.error;
  return (
    <section aria-label="Issue" className="flex max-w-2xl flex-col gap-5">
      <div>
        <h2 className="text-lg font-semibold">Issue licenses</h2>
        <p className="text-sm text-muted-foreground">
          Free licenses, such as for a giveaway. You get keys to redeem, in one email or one file.
        </p>
      </div>
      <Card>
        {/* stays, so that Back finds what was typed */}
        <div hidden={seen !== undefined}>
          <Asking
            problem={preview.error}
            pending={preview.isPending}
            ask={(next) => {
              setOrder(next);
              preview.mutate(next);
            }}
          />
        </div>
        {seen && order && (
          <>
            <CardTitle>{counted(seen.total, "license")}</CardTitle>
            <p className="text-sm">
              {`Issues ${counted(seen.total, "license")} of ${order.offer}${order.level ? `, with the level ${order.level}` : ""}. ${
                order.email === undefined
                  ? "The keys can be downloaded for seven days."
                  : `One email with all keys goes to ${order.email}.`
              }`}
            </p>
            <FormAlert problem={failed && { message: failureText(failed) }} />
            <div className="flex flex-wrap gap-3">
              <Button
                variant="outline"
                onClick={() => {
                  preview.reset();
                  start.reset();
                }}
              >
                Back
              </Button>
              <PatientButton
                pending={start.isPending}
                doing="Starting…"
                problem={failed}
                onClick={() => start.isPending || start.mutate(order)}
              >
                Issue {counted(seen.total, "license")}
              </PatientButton>
            </div>
          </>
        )}
      </Card>
      <RecentJobs />
    </section>
  );
}

function Asking(props: { problem: Error | null; pending: boolean; ask: (order: IssueOrder) => void }) {
  const { problem, pending, ask } = props;
  const id = useId();
  const { data, error } = useInfiniteQuery(collectionQuery(listOffers));
  const all = data?.pages.flatMap(({ rows }) => rows) ?? [];
  // a subscription runs for as long as it is paid, so it can't be given away
  const levels = levelChoices(useLevels());
  const offers = all.filter(({ state, recurring }) => state === "on_sale" && recurring === null);
  const { form, wrong, alert } = useFilledForm(
    names,
    ({ offer, level, count, email, reason }: Record<(typeof names)[number], string>) =>
      pending ||
      ask({
        offer,
        ...(level && { level }),
        count: Number(count),
        ...(email !== "" && { email }),
        reason,
      }),
    {
      problem: problem instanceof Refused ? problem : problem && { message: problem.message },
      optional: ["level", "email"],
      check: ({ count }) => {
        const mistake = wholeNumber(1, maxIssuedPerJob)(count);
        return mistake === undefined ? {} : { count: mistake };
      },
    },
  );
  return (
    <form className="flex flex-col gap-5" aria-label="Issue licenses" {...form}>
      <FormAlert problem={alert ?? (data ? null : error)} />
      <div className="flex flex-col gap-2">
        <Label htmlFor={id}>Offer</Label>
        <NativeSelect
          choices={offers.map(({ id: offer, name }) => [offer, name])}
          id={id}
          name="offer"
          className="md:h-10"
          aria-invalid={wrong("offer") ? true : undefined}
          aria-describedby={wrong("offer") ? `${id}-wrong` : undefined}
        />
        <FieldNote id={id} message={wrong("offer") && "No offer is on sale"} />
      </div>
      {levels && (
        <div className="flex flex-col gap-2">
          <Label htmlFor={`${id}-level`}>Level</Label>
          <NativeSelect
            choices={[["", "As its offer says"], ...Object.entries(levels)]}
            id={`${id}-level`}
            name="level"
            className="md:h-10"
          />
          <FieldNote id={`${id}-level`} message={wrong("level") && "This level was retired"} />
        </div>
      )}
      <Field
        label="How many"
        name="count"
        type="number"
        min={1}
        max={maxIssuedPerJob}
        wrong={wrong("count")}
      />
      <Field
        label="Email"
        name="email"
        type="email"
        aria-required={false}
        autoComplete="off"
        hint="Gets one email with all keys. Leave empty to download them as a file."
        wrong={wrong("email")}
      />
      <Field
        label="Reason"
        name="reason"
        autoComplete="off"
        hint="Saved in the audit log. 3 to 300 characters."
        wrong={wrong("reason")}
      />
      <PatientButton
        type="submit"
        className="self-start"
        pending={pending}
        doing="Counting…"
        problem={problem}
      >
        Preview
      </PatientButton>
    </form>
  );
}
