import { useInfiniteQuery } from "@tanstack/react-query";
import { Laptop, LogOut, Smartphone } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import type { Session } from "@/contract/wire/security";
import { sessionsQuery, useEndOtherSessions, useEndSession } from "../../../api/security";
import { toastSuccess, toastFailure } from "../../../parts/account/toasts";
import { formatTime } from "../../../parts/format-time";
import { Loaded } from "../../../parts/loaded";
import { PatientButton } from "../../../parts/patient-button";
import { RenewToken } from "../../../parts/renew-token";
import { RowsSkeleton } from "../../../parts/rows-skeleton";
import { ShowMore } from "../../../parts/show-more";
import { TitledCard } from "../../../parts/titled-card";
import { TitledDialog } from "../../../parts/titled-dialog";
import { Badge } from "../../../ui/badge";
import { Button } from "../../../ui/button";
import { DialogClose, DialogFooter } from "../../../ui/dialog";

/** The account's sessions, each with a sign-out button. */
export function Sessions({ hasToken }: { hasToken: boolean }) {
  const sessions = useInfiniteQuery(sessionsQuery);
  const others = sessions.data?.some(({ current }) => !current);
  return (
    <TitledCard title="Sessions" aside={others && <EndOthers hasToken={hasToken} />}>
      <Loaded query={sessions} skeleton={<RowsSkeleton rows={2} />}>
        {(all) => (
          <ul
            aria-label="Sessions"
            className="flex flex-col divide-y sm:scroll-panel sm:max-h-[60vh] sm:overflow-y-auto"
          >
            {all.map((session) => (
              <SessionRow key={session.id} session={session} />
            ))}
          </ul>
        )}
      </Loaded>
      <ShowMore list={sessions} />
    </TitledCard>
  );
}

function SessionRow({ session }: { session: Session }) {
  const { device, address, last_seen_at, created_at, current } = session;
  const Icon = /iPhone|iPad|Android/.test(device) ? Smartphone : Laptop;
  return (
    <li className="flex items-center gap-4 py-4 first:pt-0 last:pb-0">
      <Icon aria-hidden="true" className="size-5 shrink-0 text-muted-foreground" />
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-sm font-medium">
          <span>{device}</span>
          {current && <Badge tone="good">This browser</Badge>}
        </p>
        <p className="text-xs text-muted-foreground">
          <span className="break-all">{address}</span>, signed in {formatTime(new Date(created_at))}
        </p>
        {!current && (
          <p className="text-xs text-muted-foreground">Last seen {formatTime(new Date(last_seen_at))}</p>
        )}
      </div>
      {current ? (
        <Button asChild variant="ghost" size="sm">
          <Link to="/logout">Sign out</Link>
        </Button>
      ) : (
        <EndOne session={session} />
      )}
    </li>
  );
}

function EndOne({ session }: { session: Session }) {
  const end = useEndSession();
  return (
    <PatientButton
      variant="ghost"
      size="sm"
      call={end}
      doing="Signing out…"
      onClick={() =>
        end.mutate(session.id, {
          onSuccess: () => toastSuccess(`Signed out ${session.device}`),
          onError: (problem) => toastFailure(problem),
        })
      }
    >
      Sign out
      <span className="sr-only"> {session.device}</span>
    </PatientButton>
  );
}

/** Signs out every other browser and, if wanted, the application. */
function EndOthers({ hasToken }: { hasToken: boolean }) {
  const [open, setOpen] = useState(false);
  const [resets, setResets] = useState(false);
  const end = useEndOtherSessions();
  const signOut = () =>
    end.mutate(resets, {
      onSuccess: () => {
        setOpen(false);
        toastSuccess(`Signed out everywhere else${resets ? " and reset the auth token" : ""}`);
      },
      onError: (problem) => toastFailure(problem),
    });
  return (
    <TitledDialog
      open={open}
      onOpenChange={setOpen}
      title="Sign out other sessions?"
      description="You stay signed in here."
      trigger={
        <Button variant="outline" size="sm">
          <LogOut aria-hidden="true" />
          Sign out others
        </Button>
      }
    >
      {hasToken && <RenewToken checked={resets} onChange={setResets} />}
      <DialogFooter>
        <DialogClose asChild>
          <Button variant="outline">Cancel</Button>
        </DialogClose>
        <PatientButton call={end} doing="Signing out…" onClick={signOut}>
          Sign out others
        </PatientButton>
      </DialogFooter>
    </TitledDialog>
  );
}
