import { addTransitionType, startTransition } from "react";
import { useLocation, useNavigate } from "react-router";

const order = ["details", "security", "license", "payments", "hwid"] as const;
export type Tab = (typeof order)[number];

/** The tab named in the URL's hash, and how to slide to another. */
export function useTab() {
  const { hash, search } = useLocation();
  const navigate = useNavigate();
  const tab = tabOf(hash);
  const go = (value: string) => {
    const to = tabOf(`#${value}`);
    startTransition(() => {
      addTransitionType(order.indexOf(to) < order.indexOf(tab) ? "back" : "forward");
      void navigate({ search, hash: to }, { replace: true, preventScrollReset: true });
    });
  };
  return [tab, go] as const;
}

const tabOf = (hash: string): Tab => order.find((tab) => `#${tab}` === hash.toLowerCase()) ?? "details";
