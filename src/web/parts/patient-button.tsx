import { Hourglass } from "lucide-react";
import { type ComponentProps, Fragment, type ReactNode } from "react";
import { Refused } from "../api/client";
import { Button } from "../ui/button";
import { useNow } from "../hooks/use-now";
import { Spinner } from "./spinner";

type PatientButtonProps = ComponentProps<typeof Button> & {
  pending: boolean;
  doing: string;
  children: ReactNode;
};

type Props = Omit<PatientButtonProps, "pending"> & {
  /** The server call. After a rate limit, the button stays disabled until the limit ends. */
  call?: { isPending: boolean; error: Error | null };
  /** Overrides for what differs from the call, or combines several calls. */
  pending?: boolean;
  problem?: Error | null;
};

/** A button for a server call: shows progress, and counts down while rate-limited. */
export function PatientButton({ call, problem = call?.error ?? null, ...all }: Props) {
  const props = { pending: call?.isPending ?? false, ...all };
  const retryAt = problem instanceof Refused ? problem.retryAt : undefined;
  return retryAt === undefined ? <Ready {...props} /> : <Waiting retryAt={retryAt} {...props} />;
}

function Ready({ pending, doing, children, ...button }: PatientButtonProps) {
  return (
    <Button type="button" aria-busy={pending} {...button}>
      {pending ? (
        <Fragment key="doing">
          <Spinner />
          <span>{doing}</span>
        </Fragment>
      ) : (
        <span key="ready" className="contents">
          {children}
        </span>
      )}
    </Button>
  );
}

function Waiting({ retryAt, ...props }: PatientButtonProps & { retryAt: number }) {
  const { pending: _pending, doing: _doing, children: _children, ...button } = props;
  return (
    <Countdown until={retryAt}>
      {(words) =>
        words === null ? (
          <Ready {...props} />
        ) : (
          <Button type="button" {...button} disabled>
            <Hourglass aria-hidden="true" />
            <span>{words}</span>
          </Button>
        )
      }
    </Countdown>
  );
}

/** Tells what a rate-limited button says; null once it can be pressed again. */
export function Countdown(props: { until: number; children: (words: string | null) => ReactNode }) {
  const left = Math.ceil((props.until - useNow(1_000).getTime()) / 1_000);
  return props.children(left <= 0 ? null : `Try again in ${formatSeconds(left)}`);
}

const formatSeconds = (seconds: number) =>
  seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`;
