import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import { useHydrated } from "./use-hydrated";

/**
 * The URL's parameters, moved into the history entry at once: a reload keeps them, but they can't be read off
 * the screen, from logs or by other sites. They may hold keys and session ids.
 */
export function usePrivateParameters<Name extends string>(names: readonly Name[]) {
  const { pathname, search, hash, state } = useLocation();
  const navigate = useNavigate();
  const alive = useHydrated();
  const named = new URLSearchParams(search);
  const taken = names.map((name) => [name, named.get(name) ?? rememberedIn(state, name)]);
  const known = JSON.stringify(Object.fromEntries(taken));
  useEffect(() => {
    if (search !== "") void navigate({ pathname, hash }, { replace: true, state: JSON.parse(known) });
  }, [search, pathname, hash, known, navigate]);
  // A prerendered page was rendered without parameters.
  return (alive ? JSON.parse(known) : {}) as Partial<Record<Name, string>>;
}

function rememberedIn(state: unknown, name: string): string | undefined {
  if (typeof state !== "object" || state === null) return undefined;
  const value: unknown = Reflect.get(state, name);
  return typeof value === "string" ? value : undefined;
}
