import { texts } from "@/contract/texts";
import { notify } from "../../notices";

/** Six digits, or something longer, which is a recovery code. */
export const isWholeCode = (text: string) => text.length >= 6;

export const sayIncomplete = () => notify("error", texts.mfaInvalid, "account");
