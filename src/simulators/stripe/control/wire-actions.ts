import { z } from "zod";
import { action } from "../../base/actions";
import { refusals, type World } from "../world";

/** How the account's events and answers differ from what the SDK is used to. */
export const wireActions = (world: World) => ({
  /** The API version of the events made from now on, such as `2024-06-20`; those made before keep theirs. */
  "events/version": action(z.object({ version: z.string().regex(/^\d{4}-\d{2}-\d{2}/) }), (given) => {
    world.wire.version = given.version;
    return given;
  }),

  /** Refuses every call whose path contains this, until `as` is null. */
  refuse: action(z.object({ path: z.string().min(1), as: z.enum(refusals).nullable() }), ({ path, as }) => {
    const others = world.wire.refusals.filter((one) => one.path !== path);
    world.wire.refusals = as === null ? others : [{ path, as }, ...others];
    return { refusals: world.wire.refusals };
  }),
});
