import type { ReactNode } from "react";

/** The edge and shadow of an application's window around a picture of its inside. */
export function Window({ children }: { children: ReactNode }) {
  return (
    <div className="relative overflow-hidden rounded-xl bg-[#0d0c16] shadow-window ring-1 ring-white/12 md:rounded-2xl">
      {children}
    </div>
  );
}
