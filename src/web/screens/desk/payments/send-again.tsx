import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Send } from "lucide-react";
import { resendLostReceipts, resendReceipt } from "@/contract/operations/payments";
import { refreshDesk } from "../../../api/desk/lists";
import { callOperation } from "../../../api/desk/operations";
import { notify } from "../../../page/notices";
import { PatientButton } from "../../../parts/patient-button";
import { mayDo } from "../operation/operation";
import { useMe } from "../parts/me";
import { counted } from "../parts/format";

/** Sends a payment's emails again by one press; of every lost receipt without one. */
export function SendAgain({ payment, about }: { payment?: string; about?: string }) {
  const me = useMe();
  const queries = useQueryClient();
  const send = useMutation({
    mutationKey: ["desk", "operation"],
    mutationFn: async () => {
      if (payment === undefined) return callOperation(resendLostReceipts, {});
      await callOperation(resendReceipt, { id: payment });
      return { sent: 1, left: false };
    },
    onSuccess: ({ sent, left }) => {
      const done = `${counted(sent, "email")} ${sent === 1 ? "is" : "are"} on the way`;
      notify(left ? "warning" : "success", left ? `${done}. Others can't be sent now` : done, "account");
      void refreshDesk(queries);
    },
    onError: ({ message }) => notify("error", message, "account"),
  });
  if (!mayDo(me, resendReceipt)) return null;
  return (
    <PatientButton
      variant="outline"
      size="sm"
      className="md:min-h-9"
      call={send}
      doing="Sending…"
      aria-label={about && `Send again to ${about}`}
      onClick={() => send.mutate()}
    >
      <Send aria-hidden="true" />
      <span>{payment === undefined ? "Send all again" : "Send again"}</span>
    </PatientButton>
  );
}
