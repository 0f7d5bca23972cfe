import { useState } from "react";
import { useSession } from "../../../api/session";
import { stored } from "../../../stored";

/** Typed text that stays in this browser until it is sent, for each account by itself. */
export function useDraft(name: string) {
  const session = useSession();
  const owner = session.state === "signed-in" ? session.user.id : "";
  const kept = stored(`draft:${owner}:${name}`, "browser");
  const [text, setText] = useState(() => kept.recall() ?? "");
  const write = (typed: string) => {
    setText(typed);
    if (typed === "") kept.forget();
    else kept.remember(typed);
  };
  return [text, write] as const;
}
