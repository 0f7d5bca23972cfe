import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

/** Shown instead of an empty list, with what to do next. */
export function Empty(props: { icon: LucideIcon; children: string; note?: string; next?: ReactNode }) {
  const { icon: Icon, children, note, next } = props;
  return (
    <div className="flex flex-col items-center gap-4 py-10 text-center">
      <span className="grid size-12 place-content-center rounded-full bg-primary/12 text-link">
        <Icon aria-hidden="true" className="size-5" />
      </span>
      <p className="text-sm text-muted-foreground">{children}</p>
      {next && <div>{next}</div>}
      {note && <p className="text-xs text-muted-foreground">{note}</p>}
    </div>
  );
}
