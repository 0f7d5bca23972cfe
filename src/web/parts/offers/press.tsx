import { LoaderCircle } from "lucide-react";
import { type ComponentProps, Suspense } from "react";
import { useHydrated } from "../../hooks/use-hydrated";
import { late } from "../late";

/** Late, because few buyers are ever rate-limited. */
const Countdown = late(async () => (await import("../patient-button")).Countdown);

type Props = Omit<ComponentProps<"button">, "children"> & { label: string; doing: string; busy: boolean };

/**
 * `PatientButton` without the dashboard's class helpers, which would weigh as much as the rest of the landing page's
 * code.
 */
export function Press({ retryAt, ...button }: Props & { retryAt: number | undefined }) {
  return retryAt === undefined ? <Ready {...button} /> : <Waiting retryAt={retryAt} {...button} />;
}

function Ready({ label, doing, busy, ...button }: Props) {
  // before hydration a press would do nothing
  const hydrated = useHydrated();
  return (
    <button type="button" data-slot="button" disabled={!hydrated} aria-busy={busy} {...button}>
      {busy && <LoaderCircle aria-hidden="true" className="animate-spin" />}
      <span>{busy ? doing : label}</span>
    </button>
  );
}

function Waiting({ retryAt, ...button }: Props & { retryAt: number }) {
  return (
    <Suspense fallback={<Ready {...button} disabled />}>
      <Countdown until={retryAt}>
        {(words) =>
          words === null ? <Ready {...button} /> : <Ready {...button} label={words} busy={false} disabled />
        }
      </Countdown>
    </Suspense>
  );
}
