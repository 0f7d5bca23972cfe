import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { confirmRequest, showRequest } from "@/contract/operations/desk";
import type { DeskRequest, DeskRequestDone } from "@/contract/wire/desk/staff";
import { NotConfirmed } from "../../../api/desk/call";
import { callOperation } from "../../../api/desk/operations";
import { FormAlert } from "../../../parts/form-alert";
import { Loaded } from "../../../parts/loaded";
import { incompleteLink, useLinkToken } from "../../../parts/mailed-link";
import { PageHeading } from "../../../parts/page-heading";
import { PatientButton } from "../../../parts/patient-button";
import { RowsSkeleton } from "../../../parts/rows-skeleton";
import { TitledCard } from "../../../parts/titled-card";
import { Button } from "../../../ui/button";
import { ShownOnce } from "../parts/shown-once";

const titles: Record<DeskRequest["operation"], { title: string; action: string }> = {
  "licence.issue": { title: "Issue a license", action: "Issue it" },
  "discord.relink": { title: "Connect a Discord user", action: "Connect" },
  "refund.approve": { title: "Approve a refund", action: "Approve" },
};

/** Where the bot's link leads: what the member of staff asked for in Discord, to do with a code of their authenticator. */
export function ConfirmRequest() {
  const token = useLinkToken();
  const asked = useQuery({
    queryKey: ["desk", "request", token],
    queryFn: () => callOperation(showRequest, { token }),
    enabled: token !== "",
    staleTime: Infinity,
  });
  return (
    <div className="mx-auto flex w-full max-w-2xl flex-col gap-6">
      <PageHeading title="Requested in Discord">You can confirm it once, within ten minutes.</PageHeading>
      {token === "" ? (
        <FormAlert problem={incompleteLink} />
      ) : (
        <Loaded query={asked} skeleton={<RowsSkeleton rows={2} />}>
          {(request) => <Request request={request} token={token} />}
        </Loaded>
      )}
    </div>
  );
}

function Request({ request, token }: { request: DeskRequest; token: string }) {
  const confirm = useMutation({
    mutationFn: () => callOperation(confirmRequest, { token }),
  });
  const { title, action } = titles[request.operation];
  const problem = confirm.error instanceof NotConfirmed ? null : confirm.error;
  return (
    <TitledCard title={title} description="Confirm only what you requested yourself a moment ago.">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2 text-sm">
        {request.facts.map(({ name, value }) => (
          <div key={name} className="contents">
            <dt className="text-muted-foreground">{name}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      {confirm.data ? (
        <Done answer={confirm.data} />
      ) : (
        <>
          <FormAlert problem={problem} />
          <PatientButton
            className="self-start"
            pending={confirm.isPending}
            doing="Confirming…"
            problem={problem}
            onClick={() => confirm.mutate()}
          >
            {action}
          </PatientButton>
        </>
      )}
    </TitledCard>
  );
}

const Done = ({ answer: { done, key } }: { answer: DeskRequestDone }) => (
  <>
    <output className="text-sm font-medium">{done}.</output>
    {key !== null && <ShownOnce text={key} note="You won't see this key again." />}
    <Button asChild variant="outline" className="self-start">
      <Link to="/desk">Today</Link>
    </Button>
  </>
);
