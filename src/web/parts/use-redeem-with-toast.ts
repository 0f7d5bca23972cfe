import { texts } from "@/contract/vocabulary/texts";
import { Unreachable } from "../api/client";
import { useRedeem } from "../api/licences";
import { formatTime } from "./format-time";
import { notify } from "../page/notices";

/** Redeems a key, with the token of the mailed link that it came from, if any, and shows the result in a toast. Keep the component mounted until the answer arrives. */
export function useRedeemWithToast() {
  const { mutate, ...redeem } = useRedeem();
  return {
    ...redeem,
    redeem: (key: string, onRedeemed: () => void, token = "") =>
      mutate(
        { key, ...(token && { mailed_token: token }) },
        {
          onSuccess: (expires) => {
            onRedeemed();
            notify("success", texts.redeemed(expires ? formatTime(new Date(expires)) : "never"), "account");
          },
          onError: (problem) => {
            const unanswered = problem instanceof Unreachable;
            notify("error", unanswered ? texts.redeemUnanswered : problem.message, "account");
          },
        },
      ),
  };
}
