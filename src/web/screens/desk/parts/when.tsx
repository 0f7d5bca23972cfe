import { useNow } from "../../../hooks/use-now";
import { formatTime } from "../../../parts/format-time";
import { fromNow } from "./dates";

/** A time in words, exact on hover; a dash for none. */
export function When({ at, none = "–" }: { at: string | null; none?: string }) {
  const now = useNow();
  if (at === null) return <span>{none}</span>;
  const then = new Date(at);
  return (
    <time dateTime={at} title={formatTime(then)}>
      {fromNow(then, now)}
    </time>
  );
}
