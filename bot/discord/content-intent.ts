import { type APIApplication, ApplicationFlags as Flag, type REST, Routes } from "discord.js";

/**
 * Whether the application may read what people write, which its owner switches on at Discord. Asking for
 * that without being allowed ends the connection; where Discord does not say, it is taken as allowed.
 */
export async function mayReadContent(rest: REST): Promise<boolean> {
  try {
    // Discord's answer to this call
    const { flags } = (await rest.get(Routes.currentApplication())) as APIApplication;
    return (flags & (Flag.GatewayMessageContent | Flag.GatewayMessageContentLimited)) !== 0;
  } catch {
    return true;
  }
}
