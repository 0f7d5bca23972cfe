import { useId } from "react";
import { useLocation, useNavigate } from "react-router";
import type { Payment } from "@/contract/wire/payments";
import { Label } from "../../../ui/label";
import { looks, statusText } from "./payment-status";

type State = Payment["status"];

const paymentStates = Object.keys(looks) as State[];

/** The status that the URL names; null for all. */
export const stateIn = (query: URLSearchParams): State | null =>
  paymentStates.find((state) => state === query.get("state")) ?? null;

/** Leaves only the payments of one status; the choice is in the URL. */
export function StateFilter({ state }: { state: State | null }) {
  const id = useId();
  const navigate = useNavigate();
  const { hash } = useLocation();
  const choose = (chosen: string) =>
    void navigate(
      { search: chosen === "" ? "" : `?state=${chosen}`, hash },
      { replace: true, preventScrollReset: true },
    );
  return (
    <div className="flex items-center gap-3">
      <Label htmlFor={id}>Show</Label>
      <select
        id={id}
        value={state ?? ""}
        onChange={(event) => choose(event.target.value)}
        className="h-11 rounded-md border border-input bg-background px-3 text-sm text-foreground focus-visible:border-ring md:h-10"
      >
        <option value="">All payments</option>
        {paymentStates.map((one) => (
          <option key={one} value={one}>
            {statusText(one)}
          </option>
        ))}
      </select>
    </div>
  );
}
