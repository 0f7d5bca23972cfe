import { listStaff } from "@/contract/operations/settings";
import { mayDo } from "../operation/operation";
import { useMe } from "../parts/me";
import { AttentionCard } from "./attention";
import { Figures } from "./figures";
import { FirstSteps } from "./first-steps";

/** The owner's morning on one page: what waits, then how the shop does. */
export function Today() {
  const me = useMe();
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-tight">Today</h1>
      {mayDo(me, listStaff) && <FirstSteps />}
      <AttentionCard />
      <Figures />
    </>
  );
}
