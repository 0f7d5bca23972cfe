import type { ComponentProps } from "react";
import { useHydrated } from "../hooks/use-hydrated";
import { cn } from "../lib/utils";
import { PatientButton } from "./patient-button";

/** Submits its form; disabled until scripts run. */
export function SubmitButton({ className = "w-full", ...button }: ComponentProps<typeof PatientButton>) {
  const hydrated = useHydrated();
  return (
    <PatientButton
      type="submit"
      disabled={!hydrated}
      className={cn(!hydrated && "disabled:opacity-100", className)}
      {...button}
    />
  );
}
