import type { LucideIcon } from "lucide-react";
import { useEffect } from "react";

/** Something that the shown page can do, as the palette lists it. */
export type DeskCommand = { name: string; note?: string; icon: LucideIcon; run: () => void };

const registered = new Map<symbol, readonly DeskCommand[]>();

/** Adds commands to the palette for as long as the calling component is shown. */
export function useCommands(commands: readonly DeskCommand[]) {
  useEffect(() => {
    const own = Symbol("commands");
    registered.set(own, commands);
    return () => void registered.delete(own);
  }, [commands]);
}

export const currentCommands = (): readonly DeskCommand[] => [...registered.values()].flat();
