import { AttentionCard } from "./attention";

/** The owner's morning on one page: what waits, then how the shop does. */
export function Today() {
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-tight">Today</h1>
      <AttentionCard />
    </>
  );
}
