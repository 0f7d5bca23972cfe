import { useEffect } from "react";
import { type Location, useLocation, useNavigate } from "react-router";
import { useHydrated } from "./use-hydrated";

/**
 * The URL's parameters, moved into the history entry at once. They may hold keys and session ids: a reload keeps them,
 * but nobody can read them on the screen, in logs or from other sites.
 */
export function usePrivateParameters<Name extends string>(names: readonly Name[]) {
  const location = useLocation();
  const { pathname, search, hash } = location;
  const navigate = useNavigate();
  const hydrated = useHydrated();
  const taken = names.map((name) => [name, privateParameter(location, name)]);
  const known = JSON.stringify(Object.fromEntries(taken));
  useEffect(() => {
    if (search !== "") void navigate({ pathname, hash }, { replace: true, state: JSON.parse(known) });
  }, [search, pathname, hash, known, navigate]);
  // the prerendered page has no parameters
  return (hydrated ? JSON.parse(known) : {}) as Partial<Record<Name, string>>;
}

/** A parameter of the URL or, once moved, of the history entry. */
export function privateParameter({ search, state }: Location, name: string): string | undefined {
  const named = new URLSearchParams(search).get(name);
  if (named !== null) return named;
  if (typeof state !== "object" || state === null) return undefined;
  const value: unknown = Reflect.get(state, name);
  return typeof value === "string" ? value : undefined;
}
