import type { Press } from "../asked";
import { memberPresses } from "./member-presses";
import { staffPresses } from "./staff-presses";

/** Every button and form of tickets, by the first part of its custom id. */
export const ticketPresses: Record<string, Press> = { ...memberPresses, ...staffPresses };
