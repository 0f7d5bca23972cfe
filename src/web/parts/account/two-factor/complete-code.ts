import { texts } from "@/contract/texts";
import { notify } from "../../notices";

/** Six digits, or something longer, which is a recovery code. */
export const isCompleteCode = (text: string) => text.length >= 6;

export const toastIncomplete = () => notify("error", texts.mfaInvalid, "account");
