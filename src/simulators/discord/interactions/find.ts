import { refusals } from "../errors";
import type { Interaction } from "../store/rows";
import type { World } from "../world";

const answerMs = 3000;
const tokenMs = 15 * 60_000;

/** An interaction that still waits for its first answer. */
export function waiting(world: World, id: string, token: string): Interaction {
  const interaction = world.store.interactions.get(id);
  if (!interaction || interaction.token !== token) throw refusals.unknownInteraction();
  if (interaction.acknowledged !== null) throw refusals.alreadyAcknowledged();
  if (world.now() - interaction.created > answerMs) throw refusals.unknownInteraction();
  return interaction;
}

/** An answered interaction by its token, which is good for a quarter of an hour. */
export function answered(world: World, application: string, token: string): Interaction {
  const [found] = world.store.interactions.group(token);
  if (!found || application !== world.known.applicationId) throw refusals.unknownWebhook();
  if (world.now() - found.created > tokenMs) throw refusals.invalidWebhookToken();
  if (found.acknowledged === null) throw refusals.unknownWebhook();
  return found;
}
