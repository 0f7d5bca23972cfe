import { Copy } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import type { Me } from "@/contract/wire/accounts";
import type { Button } from "../../ui/button";
import { PatientButton } from "../patient-button";
import { useCopyToken } from "./use-copy-token";

type Look = Pick<ComponentProps<typeof Button>, "variant" | "size">;

/** Copies the account's auth token. */
export function CopyToken({
  user,
  variant = "outline",
  size = "sm",
  children,
}: Look & { user: Me; children: ReactNode }) {
  const { copy, call } = useCopyToken(user);
  return (
    <PatientButton variant={variant} size={size} call={call} doing="Copying…" onClick={copy}>
      <Copy aria-hidden="true" />
      {children}
    </PatientButton>
  );
}
