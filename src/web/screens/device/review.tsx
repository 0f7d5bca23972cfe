import { brand } from "@/brand/brand";
import type { Me } from "@/contract/wire/accounts";
import type { SignInRequest } from "@/contract/wire/sign-in";
import { Refused } from "../../api/client";
import type { useDecideRequest } from "../../api/devices";
import { useNow } from "../../hooks/use-now";
import { wantsPassword } from "../../parts/account/refusals";
import { AuthHeading } from "../../parts/auth-frame";
import { LicenceNeeded } from "../../parts/devices/licence-needed";
import { MakeRoom } from "../../parts/devices/make-room";
import { waitingCode } from "../../parts/devices/waiting-code";
import { isFull, needsLicence } from "../../parts/devices/refused";
import { FormAlert } from "../../parts/form-alert";
import { formatTime } from "../../parts/format-time";
import { PatientButton } from "../../parts/patient-button";
import { Button } from "../../ui/button";

type Props = {
  user: Me;
  code: string;
  request: SignInRequest;
  decide: ReturnType<typeof useDecideRequest>;
  onDecide: (approve: boolean) => void;
  /** Back to another code. */
  onAgain: () => void;
};

/** The second step: who asks, and whether it is the visitor's own computer. */
export function Review({ user, code, request, decide, onDecide, onAgain }: Props) {
  const ended = useNow(1_000) >= new Date(request.expires_at);
  const unknown = decide.error instanceof Refused && decide.error.status === 404;
  if (ended || unknown) return <Gone answered={!ended} onAgain={onAgain} />;
  const unlicensed = !user.active_license || needsLicence(decide.error);
  const full = isFull(decide.error);
  const keepCode = () => waitingCode.remember(code, request.expires_at);
  return (
    <>
      <AuthHeading title="Is this your computer?">
        Approve only if your computer is showing this code right now and you started this yourself.
      </AuthHeading>
      <div className="flex flex-col gap-6">
        <Request code={code} request={request} />
        {!unlicensed && !full && <FormAlert problem={wantsPassword(decide.error) ? null : decide.error} />}
        {unlicensed && (
          <LicenceNeeded onLeave={keepCode}>
            {`${brand.shortName} needs an active license. Get one and come back to this code within 15 minutes.`}
          </LicenceNeeded>
        )}
        {!unlicensed && full && <MakeRoom user={user} onRoom={decide.reset} onLeave={keepCode} />}
        <Answers user={user} approvable={!unlicensed && !full} decide={decide} onDecide={onDecide} />
      </div>
    </>
  );
}

function Request({ code, request }: Pick<Props, "code" | "request">) {
  const facts = [
    ["Computer", request.label],
    ["System", request.os],
    ["Application", `Version ${request.version}`],
    ["Network", request.address],
    ["Requested", formatTime(new Date(request.created_at))],
  ] as const;
  return (
    <div className="flex flex-col gap-4 rounded-lg border bg-well p-4">
      <p className="text-center font-mono text-2xl font-semibold tracking-widest" aria-label={`Code ${code}`}>
        {code}
      </p>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-2 text-sm">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted-foreground">{name}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Answers(props: Pick<Props, "user" | "decide" | "onDecide"> & { approvable: boolean }) {
  const { approvable, decide, onDecide } = props;
  const { username, devices } = props.user;
  const answering = decide.isPending ? decide.variables.approve : null;
  const button = { problem: decide.error, disabled: decide.isPending };
  return (
    <div className="flex flex-col gap-3">
      {approvable && (
        <>
          <p className="text-sm text-pretty text-muted-foreground">
            Approving lets the application run there on <span className="text-foreground">{username}</span>
            &apos;s license. <span>{seatText(devices.places)}</span> If someone sent you this code or a link
            to this page, deny it: you would be approving their computer.
          </p>
          <PatientButton
            {...button}
            pending={answering === true}
            doing="Approving…"
            onClick={() => onDecide(true)}
          >
            Approve
          </PatientButton>
        </>
      )}
      <PatientButton
        {...button}
        variant="outline"
        pending={answering === false}
        doing="Denying…"
        onClick={() => onDecide(false)}
      >
        Deny
      </PatientButton>
    </div>
  );
}

const seatText = (places: number): string =>
  places > 1 ? `This uses one of your ${places} computers.` : "This uses the only seat on your license.";

function Gone({ answered, onAgain }: { answered: boolean; onAgain: () => void }) {
  return (
    <>
      <AuthHeading title={answered ? "This code is no longer valid" : "This code has expired"}>
        {answered
          ? "It was already used, or it expired. Your settings list the computers on your account."
          : "Codes last 15 minutes. Get a new one in the application."}
      </AuthHeading>
      <Button onClick={onAgain}>Enter another code</Button>
    </>
  );
}
