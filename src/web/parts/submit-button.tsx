import type { ReactNode } from "react";
import { Button } from "../ui/button";
import { useHydrated } from "../hooks/use-hydrated";
import { Spinner } from "./spinner";

/** Submits its form; shows progress and can't be pressed twice. */
export function SubmitButton(props: {
  pending: boolean;
  doing: string;
  children: ReactNode;
  className?: string;
}) {
  const alive = useHydrated();
  return (
    <Button
      type="submit"
      aria-busy={props.pending}
      disabled={!alive}
      className={`disabled:opacity-100 ${props.className ?? "w-full"}`}
    >
      {props.pending && <Spinner />}
      {props.pending ? props.doing : props.children}
    </Button>
  );
}
