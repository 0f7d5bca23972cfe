import type { Command } from "../interactions/command-types";
import { customer } from "./customer";
import { device } from "./device";
import { licence } from "./licence";
import { link } from "./link";
import { premium } from "./premium";
import { redeem } from "./redeem";
import { relink } from "./relink";
import { ticket } from "../tickets/ticket-command";
import { support } from "../tickets/support-command";
import { sync } from "./sync";

/** Every command of the server. */
export const commands: Command[] = [
  premium,
  link,
  redeem,
  support,
  customer,
  licence,
  device,
  relink,
  sync,
  ticket,
];
