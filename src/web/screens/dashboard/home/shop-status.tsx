import { CircleCheck, CircleX, Hourglass } from "lucide-react";
import { isRateLimited } from "../../../api/client";

/** Online, offline or rate-limited. */
export function ShopStatus({ problem }: { problem: Error | null }) {
  const [Icon, word, colour] = look(problem);
  return (
    <output className={`flex items-center gap-2.5 ${colour}`}>
      <Icon aria-hidden="true" className="size-6" />
      {word}
    </output>
  );
}

function look(problem: Error | null) {
  if (problem === null) return [CircleCheck, "Online", "text-success"] as const;
  return isRateLimited(problem)
    ? ([Hourglass, "Rate limited", "text-warning"] as const)
    : ([CircleX, "Offline", "text-destructive"] as const);
}
