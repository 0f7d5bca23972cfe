import { createContext, useContext } from "react";
import type { DeskMe } from "@/contract/wire/desk/staff";

export const Me = createContext<DeskMe | null>(null);

/** Who is on the desk. */
export function useMe(): DeskMe {
  const me = useContext(Me);
  if (!me) throw new Error("Only pages of the desk know who is there");
  return me;
}
