import type { World } from "../world";
import { roleJson } from "./people";

/** Discord's guild object without its channels and members. */
export function guildJson(world: World) {
  const { guildId, ownerId } = world.known;
  return {
    id: guildId,
    name: world.store.setting("guild_name") ?? "",
    icon: null,
    description: null,
    home_header: null,
    splash: null,
    discovery_splash: null,
    features: ["COMMUNITY", "NEWS"],
    banner: null,
    owner_id: ownerId,
    application_id: null,
    region: "us-central",
    afk_channel_id: null,
    afk_timeout: 300,
    system_channel_id: null,
    system_channel_flags: 0,
    widget_enabled: false,
    widget_channel_id: null,
    verification_level: 1,
    roles: world.store.roles.all().map((role) => roleJson(role, guildId)),
    default_message_notifications: 1,
    mfa_level: 0,
    explicit_content_filter: 2,
    max_presences: null,
    max_members: 500_000,
    max_stage_video_channel_users: 50,
    max_video_channel_users: 25,
    vanity_url_code: null,
    premium_tier: 0,
    premium_subscription_count: 0,
    preferred_locale: "en-US",
    rules_channel_id: null,
    safety_alerts_channel_id: null,
    public_updates_channel_id: null,
    premium_progress_bar_enabled: false,
    premium_progress_bar_enabled_user_updated_at: null,
    nsfw: false,
    nsfw_level: 0,
    emojis: [],
    stickers: [],
    incidents_data: null,
  };
}

export function guildWithCounts(world: World) {
  const members = world.store.members.size();
  return { ...guildJson(world), approximate_member_count: members, approximate_presence_count: members };
}
