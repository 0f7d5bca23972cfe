import type { ReactNode } from "react";

/** An application window's border and shadow around a picture; dark in both themes, as the application is. */
export function Window({ children }: { children: ReactNode }) {
  return (
    <div
      data-theme="dark"
      className="relative overflow-hidden rounded-xl bg-window shadow-window ring-1 ring-white/12 md:rounded-2xl"
    >
      {children}
    </div>
  );
}
