import { CircleAlert } from "lucide-react";
import { Alert } from "../ui/alert";

/** Why a form was refused. */
export function FormAlert({ problem }: { problem: { message: string } | null }) {
  if (!problem) return null;
  return (
    <Alert variant="destructive">
      <CircleAlert aria-hidden="true" />
      <span>{problem.message}</span>
    </Alert>
  );
}
