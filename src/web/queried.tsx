import { QueryClientProvider } from "@tanstack/react-query";
import { use } from "react";
import { Outlet } from "react-router";
import { MemoryContext } from "./memory";
import { queriesOf } from "./queries";

/** Around the screens that ask the server for what they show. */
export function Queried() {
  return (
    <QueryClientProvider client={queriesOf(use(MemoryContext))}>
      <Outlet />
    </QueryClientProvider>
  );
}
