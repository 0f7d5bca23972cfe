import { useRef, useState } from "react";
import { useSession } from "../api/session";
import { stored } from "../page/stored";

/**
 * Typed text that stays in this browser until it is sent, for each account by itself: the text, what replaces it, and
 * what takes away the part that was sent, but nothing that was typed since.
 */
export function useDraft(name: string) {
  const session = useSession();
  const owner = session.state === "signed-in" ? session.user.id : "";
  const kept = stored(`draft:${owner}:${name}`, "browser");
  const [text, setText] = useState(() => kept.recall() ?? "");
  const latest = useRef(text);
  const write = (typed: string) => {
    latest.current = typed;
    setText(typed);
    if (typed === "") kept.forget();
    else kept.remember(typed);
  };
  const takeSent = (sent: string) => {
    if (latest.current.startsWith(sent)) write(latest.current.slice(sent.length).trimStart());
  };
  return [text, write, takeSent] as const;
}
