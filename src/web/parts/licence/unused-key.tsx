import { KeyRound } from "lucide-react";
import type { UnusedKey as Key } from "@/contract/wire/licences";
import { PatientButton } from "../patient-button";
import { useRedeemWithToast } from "../use-redeem-with-toast";

type Props = {
  keys: readonly Key[];
  /** Whether adding it is the page's first action. */
  first: boolean;
};

/** A key that the account bought and nobody has redeemed, with a button that adds it. */
export function UnusedKey({ keys: [unused, ...others], first }: Props) {
  const redeem = useRedeemWithToast();
  if (!unused) return null;
  return (
    <section
      aria-label="Unused key"
      className="flex flex-col gap-3 rounded-lg border px-4 py-3 sm:flex-row sm:items-center sm:justify-between"
    >
      <p className="flex min-w-0 flex-col gap-1 text-sm">
        <span className="font-medium">{first ? unused.name : `Unused key: ${unused.name}`}</span>
        <span className="font-mono text-[0.8125rem] break-all text-soft">{unused.key}</span>
        {others.length > 0 && <span className="text-muted-foreground">{`and ${others.length} more`}</span>}
      </p>
      <PatientButton
        variant={first ? "default" : "outline"}
        call={redeem}
        doing="Adding…"
        onClick={() => redeem.isPending || redeem.redeem(unused.key, () => {})}
      >
        <KeyRound aria-hidden="true" />
        Add to my account
      </PatientButton>
    </section>
  );
}
