import type { Me } from "@/contract/wire/accounts";
import { texts } from "@/contract/vocabulary/texts";
import { useResetToken } from "../../api/account";
import { copyText } from "../clipboard";
import { noteStep } from "../first-steps";
import { notify } from "../../page/notices";
import { toastFailure, toastSuccess } from "./toasts";

/** Copies the account's auth token; makes the first one if there is none, which replaces nothing. */
export function useCopyToken({ id, api_key }: Pick<Me, "id" | "api_key">) {
  const reset = useResetToken();
  const copy = async () => {
    const token = api_key ?? (await reset.mutateAsync(undefined).catch(sayResetFailed))?.api_key;
    if (!token) return;
    if (!(await copyText(token))) return notify("error", texts.tokenCopyFailed, "account");
    noteStep(id, "token");
    toastSuccess(texts.tokenCopied);
  };
  return { copy: () => void copy(), call: reset };
}

function sayResetFailed(problem: Error): undefined {
  toastFailure(problem, texts.tokenResetFailed);
}
