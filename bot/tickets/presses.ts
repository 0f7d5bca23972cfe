import type { Press } from "../interactions/command-types";
import { memberPresses } from "./member-buttons";
import { staffPresses } from "./staff-buttons";

/** Every button and form of tickets, by the first part of its custom id. */
export const ticketPresses: Record<string, Press> = { ...memberPresses, ...staffPresses };
