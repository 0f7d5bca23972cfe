import { useState } from "react";

const key = "sidebar";

/** Whether the side navigation is collapsed; stored in this browser. */
export function useCollapsed() {
  const [collapsed, setCollapsed] = useState(() => localStorage.getItem(key) === "collapsed");
  const toggle = () => {
    localStorage.setItem(key, collapsed ? "open" : "collapsed");
    setCollapsed(!collapsed);
  };
  return [collapsed, toggle] as const;
}
