import { appearance } from "./pictures/appearance";
import { commands } from "./pictures/commands";
import { custom } from "./pictures/custom";
import { guard } from "./pictures/guard";
import { home } from "./pictures/home";

/** The gallery's pictures, in rotation order. */
export const gallery = [commands, custom, guard, appearance, home] as const;
