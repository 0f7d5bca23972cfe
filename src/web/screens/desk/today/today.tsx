import { useMe } from "../parts/me";
import { AttentionCard } from "./attention";
import { Figures } from "./figures";
import { FirstSteps } from "./first-steps";

/** The owner's morning on one page: what waits, then how the shop does. */
export function Today() {
  const { role } = useMe();
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-tight">Today</h1>
      {role === "owner" && <FirstSteps />}
      <AttentionCard />
      <Figures />
    </>
  );
}
