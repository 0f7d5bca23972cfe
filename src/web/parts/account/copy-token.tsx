import { Copy } from "lucide-react";
import type { ReactNode } from "react";
import type { Me } from "@/contract/wire/accounts";
import { PatientButton } from "../patient-button";
import { useCopyToken } from "./use-copy-token";

/** Copies the account's auth token. */
export function CopyToken({ user, children }: { user: Me; children: ReactNode }) {
  const { copy, call } = useCopyToken(user);
  return (
    <PatientButton variant="outline" size="sm" call={call} doing="Copying…" onClick={copy}>
      <Copy aria-hidden="true" />
      {children}
    </PatientButton>
  );
}
