import type { LucideIcon } from "lucide-react";

/** Shown instead of an empty list. */
export function Empty({ icon: Icon, children }: { icon: LucideIcon; children: string }) {
  return (
    <div className="flex flex-col items-center gap-4 py-10 text-center">
      <span className="grid size-12 place-content-center rounded-full bg-primary/12 text-link">
        <Icon aria-hidden="true" className="size-5" />
      </span>
      <p className="text-sm text-muted-foreground">{children}</p>
    </div>
  );
}
