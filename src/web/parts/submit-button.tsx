import type { ReactNode } from "react";
import { Button } from "../ui/button";
import { useAlive } from "./alive";
import { Spinner } from "./spinner";

/** Submits its form; shows progress and can't be pressed twice. */
export function SubmitButton(props: {
  pending: boolean;
  doing: string;
  children: ReactNode;
  className?: string;
}) {
  const alive = useAlive();
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
