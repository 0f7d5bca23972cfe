import { type APIApplication, ApplicationFlags as Flag, type REST, Routes } from "discord.js";

/**
 * Whether the application has the message content intent, which its owner switches on at Discord. Requesting it
 * without permission ends the connection; where Discord does not say, it is taken as granted.
 */
export async function mayReadContent(rest: REST): Promise<boolean> {
  try {
    const { flags } = (await rest.get(Routes.currentApplication())) as APIApplication;
    return (flags & (Flag.GatewayMessageContent | Flag.GatewayMessageContentLimited)) !== 0;
  } catch {
    return true;
  }
}
