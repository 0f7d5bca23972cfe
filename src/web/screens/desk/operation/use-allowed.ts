import { useMe } from "../parts/me";
import { mayDo, type Operation } from "./operation";

/** Operations as a page lists them, without a word for those that make no sense now. */
export type OfferedOperations = readonly (Operation | null | false)[];

/** Leaves what the calling member of staff may do: nobody is shown what the shop would refuse. */
export function useAllowed(): (offered: OfferedOperations) => Operation[] {
  const me = useMe();
  return (offered) =>
    offered.filter((one) => one !== null && one !== false && mayDo(me, one.declared)) as Operation[];
}
