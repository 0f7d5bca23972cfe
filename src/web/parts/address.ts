import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import { useAlive } from "./alive";

/**
 * Parameters that the address brought along. They move from there into the history entry at once, so that
 * a reload still knows them, and no shoulder, log or other site does: keys and sessions pass this way.
 */
export function useTakenFromAddress<Name extends string>(names: readonly Name[]) {
  const { pathname, search, hash, state } = useLocation();
  const navigate = useNavigate();
  const alive = useAlive();
  const named = new URLSearchParams(search);
  const taken = names.map((name) => [name, named.get(name) ?? rememberedIn(state, name)]);
  const known = JSON.stringify(Object.fromEntries(taken));
  useEffect(() => {
    if (search !== "") void navigate({ pathname, hash }, { replace: true, state: JSON.parse(known) });
  }, [search, pathname, hash, known, navigate]);
  // A prerendered page was made for no parameters in particular.
  return (alive ? JSON.parse(known) : {}) as Partial<Record<Name, string>>;
}

function rememberedIn(state: unknown, name: string): string | undefined {
  if (typeof state !== "object" || state === null) return undefined;
  const value: unknown = Reflect.get(state, name);
  return typeof value === "string" ? value : undefined;
}
