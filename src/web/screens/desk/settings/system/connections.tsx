import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Plug } from "lucide-react";
import type { ReactNode } from "react";
import { tryService } from "@/contract/operations/system";
import { type TriedService, triedServices } from "@/contract/vocabulary/kinds";
import type { System } from "@/contract/wire/desk/system";
import { refreshDesk } from "../../../../api/desk/lists";
import { callOperation } from "../../../../api/desk/operations";
import { FormAlert } from "../../../../parts/form-alert";
import { PatientButton } from "../../../../parts/patient-button";
import { Card, CardTitle } from "../../../../ui/card";
import { mayDo } from "../../operation/operation";
import { useMe } from "../../parts/me";
import { When } from "../../parts/when";
import { FindingList } from "./finding-list";

const discord: Record<System["discord"], string> = {
  off: "Off",
  elsewhere: "Runs in another process",
  away: "Not connected",
  up: "Connected",
};

const mail: Record<System["mail"], string> = {
  off: "Off",
  untried: "On, nothing sent since the start",
  up: "The server accepted the last email",
  away: "The server didn't accept the last email",
  refusing: "The server refuses every email",
};

const stripe: Record<System["stripe"]["mode"], string> = {
  live: "Live",
  test: "Test mode",
  simulator: "Simulator: no key is set",
};

/** The services that the shop needs, each of which owners can try. */
export function Connections({ state }: { state: System }) {
  return (
    <Card aria-label="Connections" className="gap-5">
      <CardTitle>Connections</CardTitle>
      <Connection service="mail" does="Sends a test email to you." isOff={state.mail === "off"}>
        {mail[state.mail]}
      </Connection>
      <Connection service="stripe" does="Tries each permission of the shop's key.">
        <span>{stripe[state.stripe.mode]}</span>
        <span>
          , last webhook <When at={state.stripe.last_webhook_at} none="never" />
        </span>
      </Connection>
      <Connection
        service="discord"
        does="Gives the bot each role that customers get, and takes it back."
        isOff={state.discord === "off"}
      >
        {discord[state.discord]}
      </Connection>
    </Card>
  );
}

function Connection(props: { service: TriedService; does: string; isOff?: boolean; children: ReactNode }) {
  const { service, does, isOff = false, children } = props;
  const name = triedServices[service];
  const me = useMe();
  const queries = useQueryClient();
  const trial = useMutation({
    mutationKey: ["desk", "try", service],
    mutationFn: () => callOperation(tryService, { service }),
    onSettled: () => void refreshDesk(queries),
  });
  const isOffered = !isOff && mayDo(me, tryService);
  return (
    <section aria-label={name} className="flex flex-col gap-3 text-sm">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h3 className="font-medium">{name}</h3>
          <p className="text-muted-foreground">{children}</p>
          {isOffered && <p className="text-xs text-muted-foreground">{does}</p>}
        </div>
        {isOffered && (
          <PatientButton
            variant="outline"
            size="sm"
            aria-label={`Try it: ${name}`}
            call={trial}
            doing="Trying…"
            onClick={() => trial.mutate()}
          >
            <Plug aria-hidden="true" />
            Try it
          </PatientButton>
        )}
      </div>
      <FormAlert problem={trial.error} />
      <div aria-live="polite">{trial.data && <FindingList findings={trial.data.findings} />}</div>
    </section>
  );
}
