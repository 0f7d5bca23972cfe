import type { ComponentProps, ReactNode } from "react";
import { useHydrated } from "../hooks/use-hydrated";
import { cn } from "../lib/utils";
import { PatientButton } from "./patient-button";

/** Submits its form; disabled until scripts run. */
export function SubmitButton(props: {
  pending: boolean;
  doing: string;
  /** The last error; if the server rate-limited, the button counts down. */
  problem?: Error | null;
  variant?: ComponentProps<typeof PatientButton>["variant"];
  children: ReactNode;
  className?: string;
}) {
  const { problem = null, className = "w-full", ...button } = props;
  const hydrated = useHydrated();
  return (
    <PatientButton
      type="submit"
      problem={problem}
      disabled={!hydrated}
      className={cn(!hydrated && "disabled:opacity-100", className)}
      {...button}
    />
  );
}
