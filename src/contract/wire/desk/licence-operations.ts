import { z } from "zod";
import { mostDevices } from "../../vocabulary/devices";
import { reasonBody, withReason } from "./reason";
import { mostAddedDays } from "../../vocabulary/bounds";

export const days = z.int().min(1).max(mostAddedDays);

/** The bodies of `POST /api/desk/licences/:id/VERB`, by verb; `key` answers with {@link wholeKey}, others with the row. */
export const licenceBodies = {
  suspend: reasonBody,
  reinstate: reasonBody,
  revoke: reasonBody,
  extend: withReason({ days }),
  devices: withReason({ number: z.int().min(1).max(mostDevices) }),
  rotate: reasonBody,
  key: reasonBody,
} as const;

export const wholeKey = z.object({ key: z.string() });
