import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Stethoscope } from "lucide-react";
import type { System as State } from "@/contract/wire/desk/system";
import { listStuckJobs } from "@/contract/operations/settings";
import { listBackups } from "@/contract/operations/system";
import { second } from "@/contract/vocabulary/time";
import { writeDesk } from "../../../../api/desk/call";
import { pathQuery } from "../../../../api/desk/collections";
import { pollWhileTouched } from "../../../../api/desk/presence";
import { FormAlert } from "../../../../parts/form-alert";
import { PatientButton } from "../../../../parts/patient-button";
import { Card, CardTitle } from "../../../../ui/card";
import { writeSize } from "../../../../parts/build-files";
import { Detailed } from "../../detail/detailed";
import { fact, Facts } from "../../detail/facts";
import { counted } from "../../parts/format";
import { mayDo } from "../../operation/operation";
import { useMe } from "../../parts/me";
import { When } from "../../parts/when";
import { Backups } from "./backups";
import { Connections } from "./connections";
import { FindingList } from "./finding-list";
import { StuckJobs } from "./stuck-jobs";

const query = pathQuery<State>("system");

/** How the shop is: its parts, what waits to go out, and what its doctor found. */
export function System() {
  const me = useMe();
  const system = useQuery({
    ...query,
    refetchInterval: ({ state }) => pollWhileTouched(state.data?.checking ? 2 * second : 30 * second)(),
  });
  return (
    <section aria-label="System" className="flex flex-col gap-6">
      <h2 className="sr-only">System</h2>
      <Detailed query={system}>
        {(state) => (
          <>
            <Restored restored={state.restored} />
            <Findings state={state} mayCheck={me.may.includes("system.check")} />
            <Connections state={state} />
            {mayDo(me, listStuckJobs) && <StuckJobs />}
            {mayDo(me, listBackups) && <Backups />}
            <Parts state={state} />
            <Queues queues={state.queues} />
            <Processes processes={state.processes} />
          </>
        )}
      </Detailed>
    </section>
  );
}

/** What a restore took away, which nothing else on the desk shows. */
function Restored({ restored }: Pick<State, "restored">) {
  if (!restored) return null;
  const { at, made, copy } = restored;
  return (
    <Card aria-label="Restored" className="gap-2 text-sm">
      <CardTitle>{copy ? "This is a copy of the shop" : "Restored from a backup"}</CardTitle>
      <p className="text-muted-foreground">
        Restored <When at={at} /> from the backup of <When at={made} />. Payments, refunds and disputes since
        then are read again from Stripe. Everything else that staff and customers did since then is gone.
        Accounts erased since then are back, so erase them again.
      </p>
      {copy && (
        <p>
          It doesn't sell, email, refund or publish anything, and what you do here is lost with it. Once the
          old shop is off for good, <code>shop take-over</code> makes this the real shop.
        </p>
      )}
    </Card>
  );
}

function Findings({ state, mayCheck }: { state: State; mayCheck: boolean }) {
  const queries = useQueryClient();
  const check = useMutation({
    mutationKey: ["desk", "check"],
    mutationFn: () => writeDesk<State>("system/check"),
    onSuccess: (data) => queries.setQueryData(query.queryKey, data),
  });
  return (
    <Card aria-label="Health check" className="gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <CardTitle className="mr-auto">
          Health check
          <span className="ml-2 text-sm font-normal text-muted-foreground">
            <When at={state.checked_at} none="not yet" />
          </span>
        </CardTitle>
        {mayCheck && (
          <PatientButton
            variant="outline"
            size="sm"
            pending={check.isPending || state.checking}
            doing="Checking…"
            problem={check.error}
            onClick={() => check.mutate()}
          >
            <Stethoscope aria-hidden="true" />
            Check now
          </PatientButton>
        )}
      </div>
      <FormAlert problem={check.error} />
      {state.findings.length === 0 ? (
        <p className="text-sm text-muted-foreground">
          {state.checked_at === null ? "The shop has not been checked yet." : "No problems found."}
        </p>
      ) : (
        <FindingList findings={state.findings} />
      )}
    </Card>
  );
}

function Parts({ state }: { state: State }) {
  const { version, goes_back_to, bun, database, backup } = state;
  return (
    <Facts
      title="Components"
      facts={[
        fact("Version", version),
        fact("Can roll back to", goes_back_to),
        fact("Bun", bun),
        fact(
          "Database",
          `${database.bytes === null ? "elsewhere" : writeSize(database.bytes)}, ${counted(database.migrations, "migration")}`,
        ),
        fact(
          "Last backup",
          backup.last ? (
            <span>
              <When at={backup.last.at} />
              <span>
                {`, ${writeSize(backup.last.bytes)}${backup.last.place === null ? "" : `, ${backup.last.place}`}`}
              </span>
            </span>
          ) : (
            "None"
          ),
        ),
      ]}
    />
  );
}

function Queues({ queues }: Pick<State, "queues">) {
  return (
    <Card aria-label="Queues" className="gap-3">
      <CardTitle>Queues</CardTitle>
      {queues.length === 0 ? (
        <p className="text-sm text-muted-foreground">Nothing is waiting.</p>
      ) : (
        <ul className="flex flex-col gap-2 text-sm">
          {queues.map(({ lane, waiting, failing, stuck, oldest_at }) => (
            <li key={lane} className="flex flex-wrap justify-between gap-x-4">
              <span className="font-medium">{lane}</span>
              <span className="text-muted-foreground tabular-nums">
                <span>
                  {`${waiting.toLocaleString("en-US")} waiting${
                    failing > 0 ? `, ${failing.toLocaleString("en-US")} failing` : ""
                  }${stuck > 0 ? `, ${stuck.toLocaleString("en-US")} stuck` : ""}`}
                </span>
                {oldest_at !== null && (
                  <span>
                    , oldest <When at={oldest_at} />
                  </span>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Processes({ processes }: Pick<State, "processes">) {
  return (
    <Card aria-label="Processes" className="gap-3">
      <CardTitle>Processes</CardTitle>
      <ul className="flex flex-col gap-2 text-sm">
        {processes.map(({ id, version, started_at, seen_at, this: isThis }) => (
          <li key={id} className="flex flex-wrap justify-between gap-x-4">
            <span className="wrap-anywhere">
              <code className="font-mono text-xs">{id}</code>
              {isThis && <span> (this one)</span>}
            </span>
            <span className="text-muted-foreground">
              {version}, started <When at={started_at} />, seen <When at={seen_at} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
