import { useEffect, useState } from "react";

/** What the palette opens for: everything, or things of one kind only, such as customers. */
export type PaletteRequest = { only?: string };

let open: ((request: PaletteRequest) => void) | undefined;

/** Opens the palette from anywhere on the desk. */
export const openPalette = (request: PaletteRequest = {}) => open?.(request);

/** The frame's side of {@link openPalette}: what is asked for, or null. */
export function usePaletteRequests() {
  const [request, setRequest] = useState<PaletteRequest | null>(null);
  useEffect(() => {
    open = setRequest;
    return () => void (open = undefined);
  }, []);
  return [request, setRequest] as const;
}
