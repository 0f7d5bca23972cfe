import { createContext, useContext } from "react";
import type { DeskMe } from "@/contract/wire/desk/staff";

const Here = createContext<DeskMe | null>(null);

export const Me = Here;

/** Who is on the desk. */
export function useMe(): DeskMe {
  const me = useContext(Here);
  if (!me) throw new Error("Only pages of the desk know who is there");
  return me;
}
