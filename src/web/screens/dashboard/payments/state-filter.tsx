import { useId } from "react";
import { useLocation, useNavigate } from "react-router";
import { paymentWords } from "@/contract/vocabulary/state-words";
import { paymentStatuses } from "@/contract/vocabulary/statuses";
import type { Payment } from "@/contract/wire/payments";
import { Label } from "../../../ui/label";

type State = Payment["status"];

/** The status that the URL names; null for all. */
export const stateIn = (query: URLSearchParams): State | null =>
  paymentStatuses.find((state) => state === query.get("state")) ?? null;

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
        // 16 px on phones: iOS zooms into smaller fields
        className="h-11 rounded-md border border-input bg-background px-3 text-base text-foreground focus-visible:border-ring md:h-10 md:text-sm"
      >
        <option value="">All payments</option>
        {paymentStatuses.map((one) => (
          <option key={one} value={one}>
            {paymentWords[one].word}
          </option>
        ))}
      </select>
    </div>
  );
}
