CREATE TABLE `audit_log` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`sequence` integer,
	`actor` text NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_role` text,
	`actor_via` text,
	`action` text NOT NULL,
	`subject` text NOT NULL,
	`account_id` text,
	`reason` text,
	`detail` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `audit_sequence` ON `audit_log` (`sequence`) WHERE "audit_log"."sequence" is not null;--> statement-breakpoint
CREATE INDEX `audit_account` ON `audit_log` (`account_id`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_account_action` ON `audit_log` (`account_id`,`action`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_subject` ON `audit_log` (`subject`,`action`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_action` ON `audit_log` (`action`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_at` ON `audit_log` (`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_by_hand` ON `audit_log` (`actor`,`at`,`id`) WHERE actor <> 'shop' AND account_id IS NOT actor;--> statement-breakpoint
CREATE INDEX `audit_by_hand_action` ON `audit_log` (`actor`,`action`,`at`,`id`) WHERE actor <> 'shop' AND account_id IS NOT actor;--> statement-breakpoint
CREATE INDEX `audit_shop` ON `audit_log` (`at`,`id`) WHERE actor = 'shop';--> statement-breakpoint
CREATE INDEX `audit_shop_action` ON `audit_log` (`action`,`at`,`id`) WHERE actor = 'shop';--> statement-breakpoint
CREATE TABLE `commit_marks` (
	`id` text PRIMARY KEY NOT NULL,
	`stored` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `guard` (
	`ok` integer NOT NULL,
	CONSTRAINT "guard_must_hold" CHECK("guard"."ok" = 1)
);
--> statement-breakpoint
CREATE TABLE `installation` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `leases` (
	`name` text PRIMARY KEY NOT NULL,
	`holder` text NOT NULL,
	`until` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `limit_counters` (
	`key` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`ends_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `limit_ends` ON `limit_counters` (`ends_at`);--> statement-breakpoint
CREATE TABLE `outbox` (
	`key` text PRIMARY KEY NOT NULL,
	`topic` text NOT NULL,
	`subject` text NOT NULL,
	`payload` text,
	`generation` integer DEFAULT 1 NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	`lease` text,
	`last_error` text,
	`request` text
);
--> statement-breakpoint
CREATE INDEX `outbox_topic_due` ON `outbox` (`topic`,`due_at`);--> statement-breakpoint
CREATE INDEX `outbox_topic_created` ON `outbox` (`topic`,`created_at`);--> statement-breakpoint
CREATE INDEX `outbox_failing` ON `outbox` (`topic`,`attempts`) WHERE attempts > 0;--> statement-breakpoint
CREATE INDEX `outbox_stuck` ON `outbox` (`created_at`) WHERE attempts >= 8;--> statement-breakpoint
CREATE TABLE `row_counts` (
	`table_name` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`username` text NOT NULL,
	`username_key` text NOT NULL,
	`email` text,
	`email_key` text,
	`email_domain` text GENERATED ALWAYS AS (substr(email_key, length(rtrim(email_key, replace(email_key, '@', ''))) + 1)) VIRTUAL,
	`email_confirmed_at` integer,
	`key_email` text,
	`key_email_key` text,
	`password_hash` text NOT NULL,
	`api_key_hash` text,
	`api_key_sealed` text,
	`timezone` text NOT NULL,
	`created_at` integer NOT NULL,
	`redemptions` integer DEFAULT 0 NOT NULL,
	`ends_rule` integer DEFAULT 1 NOT NULL,
	`mfa_secret_sealed` text,
	`mfa_enabled_at` integer,
	`mfa_last_step` integer,
	`device_reset_at` integer,
	`devices_doubted_at` integer,
	`changed` integer,
	`updated` integer GENERATED ALWAYS AS (coalesce(changed, 1000 * created_at)) VIRTUAL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_username_key_unique` ON `accounts` (`username_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_api_key_hash_unique` ON `accounts` (`api_key_hash`);--> statement-breakpoint
CREATE INDEX `accounts_email` ON `accounts` (`email_key`,`created_at`);--> statement-breakpoint
CREATE INDEX `accounts_domain` ON `accounts` (`email_domain`,`created_at`,`id`) WHERE "accounts"."email_domain" is not null;--> statement-breakpoint
CREATE INDEX `accounts_key_email` ON `accounts` (`key_email_key`) WHERE "accounts"."key_email_key" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_confirmed_email` ON `accounts` (`email_key`) WHERE "accounts"."email_confirmed_at" IS NOT NULL;--> statement-breakpoint
CREATE INDEX `accounts_created` ON `accounts` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `accounts_updated` ON `accounts` (`updated`,`id`);--> statement-breakpoint
CREATE INDEX `accounts_ends_rule` ON `accounts` (`ends_rule`,`id`);--> statement-breakpoint
CREATE TABLE `email_confirmations` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`email` text NOT NULL,
	`by_owner` integer NOT NULL,
	`ends_former` integer DEFAULT false NOT NULL,
	`code_sealed` text NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `email_confirmations_account_id_unique` ON `email_confirmations` (`account_id`);--> statement-breakpoint
CREATE INDEX `email_confirmations_expires` ON `email_confirmations` (`expires_at`);--> statement-breakpoint
CREATE TABLE `former_emails` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`replaced_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `former_emails_account` ON `former_emails` (`account_id`,`replaced_at`);--> statement-breakpoint
CREATE INDEX `former_emails_email` ON `former_emails` (`email_key`);--> statement-breakpoint
CREATE INDEX `former_emails_replaced` ON `former_emails` (`replaced_at`);--> statement-breakpoint
CREATE TABLE `mfa_recovery_codes` (
	`account_id` text NOT NULL,
	`code_hash` text NOT NULL,
	`used_at` integer,
	PRIMARY KEY(`account_id`, `code_hash`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `mfa_setups` (
	`account_id` text PRIMARY KEY NOT NULL,
	`secret_sealed` text NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `mfa_setups_expires` ON `mfa_setups` (`expires_at`);--> statement-breakpoint
CREATE TABLE `recoveries` (
	`id` text PRIMARY KEY NOT NULL,
	`browser_hash` text NOT NULL,
	`address_hash` text NOT NULL,
	`account_id` text,
	`code_sealed` text NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`asked_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`verified_until` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `recoveries_browser_hash_unique` ON `recoveries` (`browser_hash`);--> statement-breakpoint
CREATE INDEX `recoveries_account` ON `recoveries` (`account_id`);--> statement-breakpoint
CREATE INDEX `recoveries_expires` ON `recoveries` (`expires_at`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`account_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`user_agent` text NOT NULL,
	`address` text NOT NULL,
	`proved_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_id_unique` ON `sessions` (`id`);--> statement-breakpoint
CREATE INDEX `sessions_account` ON `sessions` (`account_id`,`last_seen_at`,`id`);--> statement-breakpoint
CREATE INDEX `sessions_created` ON `sessions` (`created_at`);--> statement-breakpoint
CREATE INDEX `sessions_last_seen` ON `sessions` (`last_seen_at`);--> statement-breakpoint
CREATE TABLE `announcements` (
	`id` text PRIMARY KEY NOT NULL,
	`subject` text NOT NULL,
	`content` text NOT NULL,
	`licensed_only` integer NOT NULL,
	`offer` text,
	`created_at` integer NOT NULL,
	`customers` integer NOT NULL,
	`reached` text DEFAULT '' NOT NULL,
	`looked` integer DEFAULT 0 NOT NULL,
	`posted` integer DEFAULT 0 NOT NULL,
	`sent` integer DEFAULT 0 NOT NULL,
	`dropped` integer DEFAULT 0 NOT NULL,
	`deferred` integer DEFAULT 0 NOT NULL,
	`posted_at` integer,
	`stopped_at` integer
);
--> statement-breakpoint
CREATE INDEX `announcements_created` ON `announcements` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `announcements_unposted` ON `announcements` (`created_at`) WHERE posted_at IS NULL AND stopped_at IS NULL;--> statement-breakpoint
CREATE TABLE `blocks` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`key` text NOT NULL,
	`label` text NOT NULL,
	`reason` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `blocks_key_unique` ON `blocks` (`key`);--> statement-breakpoint
CREATE INDEX `blocks_kind` ON `blocks` (`kind`,`id`);--> statement-breakpoint
CREATE TABLE `balance_movements` (
	`id` text PRIMARY KEY NOT NULL,
	`livemode` integer NOT NULL,
	`at` integer NOT NULL,
	`kind` text NOT NULL,
	`source` text,
	`description` text,
	`amount` integer NOT NULL,
	`fee` integer NOT NULL,
	`currency` text NOT NULL,
	`payout_id` text,
	`payout_at` integer
);
--> statement-breakpoint
CREATE INDEX `balance_movements_at` ON `balance_movements` (`livemode`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `balance_movements_source` ON `balance_movements` (`source`);--> statement-breakpoint
CREATE INDEX `balance_movements_unread` ON `balance_movements` (`livemode`,`at`) WHERE (kind = 'payout' AND payout_id IS NULL);--> statement-breakpoint
CREATE TABLE `change_clock` (
	`last` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `corrections` (
	`id` text PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL,
	`receiver` integer NOT NULL,
	`email` text NOT NULL,
	`state` text NOT NULL,
	`reason` text NOT NULL,
	`asked_by` text NOT NULL,
	`decided_by` text,
	`created_at` integer NOT NULL,
	`decided_at` integer
);
--> statement-breakpoint
CREATE INDEX `corrections_created` ON `corrections` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `corrections_state` ON `corrections` (`state`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `corrections_payment` ON `corrections` (`payment_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `corrections_proposed` ON `corrections` (`payment_id`,`receiver`) WHERE "corrections"."state" = 'proposed';--> statement-breakpoint
CREATE TABLE `device_removals` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`removed_at` integer NOT NULL,
	`rank` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `device_removals_account` ON `device_removals` (`account_id`,`removed_at`);--> statement-breakpoint
CREATE TABLE `device_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`device_code_hash` text NOT NULL,
	`user_code_hash` text NOT NULL,
	`hwid_sealed` text NOT NULL,
	`label` text NOT NULL,
	`os` text NOT NULL,
	`version` text NOT NULL,
	`address` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`poll_seconds` integer NOT NULL,
	`polled_at` integer,
	`decision` text,
	`account_id` text,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `device_requests_device_code_hash_unique` ON `device_requests` (`device_code_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `device_requests_user_code_hash_unique` ON `device_requests` (`user_code_hash`);--> statement-breakpoint
CREATE INDEX `device_requests_expires` ON `device_requests` (`expires_at`);--> statement-breakpoint
CREATE INDEX `device_requests_account` ON `device_requests` (`account_id`);--> statement-breakpoint
CREATE TABLE `device_tokens` (
	`device_id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `device_tokens_token_hash_unique` ON `device_tokens` (`token_hash`);--> statement-breakpoint
CREATE TABLE `devices` (
	`id` text PRIMARY KEY DEFAULT (lower(hex(randomblob(16)))) NOT NULL,
	`account_id` text NOT NULL,
	`computer_hash` text NOT NULL,
	`label` text NOT NULL,
	`renamed` integer DEFAULT false NOT NULL,
	`os` text NOT NULL,
	`version` text,
	`first_seen_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`deactivated_at` integer,
	`offline_until` integer,
	`offline_since` integer,
	`doubted` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `devices_computer` ON `devices` (`account_id`,`computer_hash`);--> statement-breakpoint
CREATE TABLE `link_attempts` (
	`state_hash` text PRIMARY KEY NOT NULL,
	`session_id` text NOT NULL,
	`account_id` text NOT NULL,
	`expires_at` integer NOT NULL,
	`code_hash` text,
	`tokens_sealed` text,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `link_attempts_expiry` ON `link_attempts` (`expires_at`);--> statement-breakpoint
CREATE INDEX `link_attempts_account` ON `link_attempts` (`account_id`);--> statement-breakpoint
CREATE TABLE `link_roles` (
	`discord_user_id` text NOT NULL,
	`role_id` text NOT NULL,
	PRIMARY KEY(`discord_user_id`, `role_id`)
);
--> statement-breakpoint
CREATE INDEX `link_roles_role` ON `link_roles` (`role_id`);--> statement-breakpoint
CREATE TABLE `links` (
	`account_id` text PRIMARY KEY NOT NULL,
	`discord_user_id` text NOT NULL,
	`linked_at` integer NOT NULL,
	`display_name` text,
	`tokens_sealed` text,
	`join_wanted` integer DEFAULT false NOT NULL,
	`join_obstacle` text,
	`member` integer,
	`holds_role` integer,
	`held_levels` text,
	`checked_at` integer,
	`proven_role` text,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `links_discord_user_id_unique` ON `links` (`discord_user_id`);--> statement-breakpoint
CREATE INDEX `links_name` ON `links` (lower(display_name),`account_id`);--> statement-breakpoint
CREATE TABLE `deleted_counts` (
	`at` integer NOT NULL,
	`livemode` integer NOT NULL,
	`currency` text NOT NULL,
	`offer` text NOT NULL,
	`checkouts` integer DEFAULT 0 NOT NULL,
	`accounts` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`at`, `livemode`, `currency`, `offer`)
);
--> statement-breakpoint
CREATE TABLE `figure_days` (
	`at` integer PRIMARY KEY NOT NULL,
	`until` integer NOT NULL,
	`time_zone` text NOT NULL,
	`mark` text
);
--> statement-breakpoint
CREATE INDEX `figure_days_marked` ON `figure_days` (`at`) WHERE "figure_days"."mark" is not null;--> statement-breakpoint
CREATE TABLE `figure_sums` (
	`at` integer NOT NULL,
	`livemode` integer NOT NULL,
	`currency` text NOT NULL,
	`about` text NOT NULL,
	`gross` integer NOT NULL,
	`off` integer NOT NULL,
	`refunded` integer NOT NULL,
	`disputed` integer NOT NULL,
	`payments` integer NOT NULL,
	`orders` integer NOT NULL,
	`checkouts` integer NOT NULL,
	`licences` integer NOT NULL,
	`yearly` integer NOT NULL,
	`running` integer NOT NULL,
	`accounts` integer NOT NULL,
	PRIMARY KEY(`at`, `livemode`, `currency`, `about`)
);
--> statement-breakpoint
CREATE INDEX `figure_sums_read` ON `figure_sums` (`livemode`,`currency`,`about`,`at`,`gross`,`off`,`refunded`,`disputed`,`payments`,`orders`,`checkouts`,`licences`,`yearly`,`running`,`accounts`);--> statement-breakpoint
CREATE TABLE `licence_job_items` (
	`job_id` text NOT NULL,
	`position` integer NOT NULL,
	`licence_id` text NOT NULL,
	`done_at` integer,
	`refusal` text,
	`line` integer,
	`content` text,
	`outcome` text,
	`note` text,
	PRIMARY KEY(`job_id`, `position`)
);
--> statement-breakpoint
CREATE INDEX `licence_job_items_waiting` ON `licence_job_items` (`job_id`,`position`) WHERE "licence_job_items"."done_at" is null;--> statement-breakpoint
CREATE INDEX `licence_job_items_refused` ON `licence_job_items` (`job_id`,`position`) WHERE "licence_job_items"."refusal" is not null;--> statement-breakpoint
CREATE INDEX `licence_job_items_outcome` ON `licence_job_items` (`job_id`,`outcome`) WHERE "licence_job_items"."outcome" is not null;--> statement-breakpoint
CREATE TABLE `licence_jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`action` text NOT NULL,
	`days` integer,
	`level` text,
	`devices` integer DEFAULT 1 NOT NULL,
	`offer` text,
	`email` text,
	`reason` text NOT NULL,
	`made_by` text NOT NULL,
	`actor` text NOT NULL,
	`created_at` integer NOT NULL,
	`ready_at` integer,
	`total` integer DEFAULT 0 NOT NULL,
	`done` integer DEFAULT 0 NOT NULL,
	`refused` integer DEFAULT 0 NOT NULL,
	`cancelled_at` integer,
	`finished_at` integer
);
--> statement-breakpoint
CREATE INDEX `licence_jobs_created` ON `licence_jobs` (`created_at`);--> statement-breakpoint
CREATE INDEX `licence_jobs_made_by` ON `licence_jobs` (`made_by`);--> statement-breakpoint
CREATE TABLE `levels` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`place` integer NOT NULL,
	`first` integer DEFAULT false NOT NULL,
	`includes_before` integer DEFAULT true NOT NULL,
	`features` text DEFAULT '[]' NOT NULL,
	`role_id` text,
	`from_order` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`retired_at` integer,
	`version` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `licence_extensions` (
	`id` text PRIMARY KEY NOT NULL,
	`licence_id` text NOT NULL,
	`days` integer NOT NULL,
	`added_at` integer NOT NULL,
	`begins_at` integer,
	FOREIGN KEY (`licence_id`) REFERENCES `licences`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `licence_extensions_licence` ON `licence_extensions` (`licence_id`);--> statement-breakpoint
CREATE TABLE `licences` (
	`id` text PRIMARY KEY NOT NULL,
	`key_hash` text NOT NULL,
	`key_sealed` text NOT NULL,
	`key_tail` text,
	`type` text NOT NULL,
	`chain` text NOT NULL,
	`days` integer,
	`devices` integer DEFAULT 1 NOT NULL,
	`payment_id` text,
	`further_payment_id` text,
	`payment_index` integer DEFAULT 0 NOT NULL,
	`sold_payment_id` text GENERATED ALWAYS AS (coalesce(payment_id, further_payment_id)) VIRTUAL,
	`ordered_at` integer,
	`payment_standing` text DEFAULT 'good' NOT NULL,
	`payment_fell_at` integer,
	`livemode` integer,
	`suspended_at` integer,
	`revoked_at` integer,
	`account_id` text,
	`redeemed_at` integer,
	`redeemed_by_buyer` integer DEFAULT false NOT NULL,
	`fixed_ends_at` integer,
	`paid_until` integer,
	`expires_at` integer,
	`created_at` integer NOT NULL,
	`ending_told` integer DEFAULT 0 NOT NULL,
	`offer` text,
	`staff_devices` integer,
	`staff_devices_price` text,
	`staff_level` text,
	`staff_level_price` text,
	`active_from` integer GENERATED ALWAYS AS (CASE WHEN redeemed_at < min(coalesce(expires_at, 8640000000000000), CASE WHEN payment_standing <> 'good' THEN coalesce(payment_fell_at, 0) ELSE 8640000000000000 END, coalesce(suspended_at, 8640000000000000), coalesce(revoked_at, 8640000000000000)) THEN redeemed_at END) VIRTUAL,
	`active_until` integer GENERATED ALWAYS AS (CASE WHEN redeemed_at < min(coalesce(expires_at, 8640000000000000), CASE WHEN payment_standing <> 'good' THEN coalesce(payment_fell_at, 0) ELSE 8640000000000000 END, coalesce(suspended_at, 8640000000000000), coalesce(revoked_at, 8640000000000000)) THEN nullif(min(coalesce(expires_at, 8640000000000000), CASE WHEN payment_standing <> 'good' THEN coalesce(payment_fell_at, 0) ELSE 8640000000000000 END, coalesce(suspended_at, 8640000000000000), coalesce(revoked_at, 8640000000000000)), 8640000000000000) END) VIRTUAL,
	`changed` integer,
	`updated` integer GENERATED ALWAYS AS (coalesce(changed, 1000 * max(created_at, coalesce(redeemed_at, 0), coalesce(suspended_at, 0), coalesce(revoked_at, 0), coalesce(payment_fell_at, 0), CASE WHEN expires_at < 1795392000000 THEN expires_at ELSE 0 END))) VIRTUAL,
	`listed_status` text GENERATED ALWAYS AS (CASE
  WHEN revoked_at IS NOT NULL OR payment_standing = 'revoked' THEN 'revoked'
  WHEN payment_standing <> 'good' THEN payment_standing
  WHEN suspended_at IS NOT NULL THEN 'suspended'
  ELSE CASE WHEN redeemed_at IS NULL THEN 'unredeemed' WHEN expires_at * 1000 <= updated THEN 'expired' ELSE 'active' END
    || CASE livemode WHEN 0 THEN ' test' WHEN 1 THEN ' live' ELSE '' END
END) VIRTUAL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `licences_key_hash_unique` ON `licences` (`key_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `licences_payment_id_unique` ON `licences` (`payment_id`);--> statement-breakpoint
CREATE INDEX `licences_account` ON `licences` (`account_id`,`redeemed_at`,`id`);--> statement-breakpoint
CREATE INDEX `licences_subscribed` ON `licences` (`account_id`) WHERE "licences"."paid_until" is not null;--> statement-breakpoint
CREATE INDEX `licences_lasting` ON `licences` (`account_id`,`expires_at`);--> statement-breakpoint
CREATE INDEX `licences_levels` ON `licences` (`account_id`,`type`,`devices`,`expires_at`);--> statement-breakpoint
CREATE INDEX `licences_orders` ON `licences` (`account_id`,`ordered_at`,`sold_payment_id`) WHERE "licences"."ordered_at" is not null;--> statement-breakpoint
CREATE INDEX `licences_lifetime` ON `licences` (`account_id`) WHERE "licences"."expires_at" is null;--> statement-breakpoint
CREATE INDEX `licences_expiry` ON `licences` (`expires_at`);--> statement-breakpoint
CREATE INDEX `licences_ending` ON `licences` (`ending_told`,`expires_at`) WHERE "licences"."expires_at" is not null;--> statement-breakpoint
CREATE INDEX `licences_created` ON `licences` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `licences_status` ON `licences` (`listed_status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `licences_level` ON `licences` (`type`,`listed_status`,`account_id`);--> statement-breakpoint
CREATE INDEX `licences_offer` ON `licences` (`offer`,`listed_status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `licences_account_status` ON `licences` (`account_id`,`listed_status`,`created_at`,`id`,`offer`) WHERE "licences"."account_id" is not null;--> statement-breakpoint
CREATE INDEX `licences_key_tail` ON `licences` (`key_tail`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `licences_sold` ON `licences` (`sold_payment_id`,`payment_index`);--> statement-breakpoint
CREATE INDEX `licences_unused` ON `licences` (`sold_payment_id`) WHERE "licences"."redeemed_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX `licences_further` ON `licences` (`further_payment_id`,`payment_index`);--> statement-breakpoint
CREATE INDEX `licences_updated` ON `licences` ((livemode + 0),`updated`,`id`);--> statement-breakpoint
CREATE INDEX `licences_account_updated` ON `licences` (`account_id`,`updated`,`id`);--> statement-breakpoint
CREATE INDEX `licences_active_from` ON `licences` (`active_from`) WHERE "licences"."active_from" is not null;--> statement-breakpoint
CREATE INDEX `licences_active_until` ON `licences` (`active_until`) WHERE "licences"."active_until" is not null;--> statement-breakpoint
CREATE INDEX `licences_end_uncounted` ON `licences` (`expires_at`) WHERE (expires_at * 1000 > updated);--> statement-breakpoint
CREATE TABLE `disputes` (
	`id` text NOT NULL,
	`taking` integer NOT NULL,
	`payment_id` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`status` text NOT NULL,
	`taken_at` integer NOT NULL,
	`returned_at` integer,
	PRIMARY KEY(`id`, `taking`),
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `disputes_payment` ON `disputes` (`payment_id`);--> statement-breakpoint
CREATE INDEX `disputes_taken` ON `disputes` (`taken_at`);--> statement-breakpoint
CREATE INDEX `disputes_returned` ON `disputes` (`returned_at`) WHERE returned_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `stripe_refunds` (
	`id` text PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`status` text NOT NULL,
	`at` integer NOT NULL,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `stripe_refunds_payment` ON `stripe_refunds` (`payment_id`);--> statement-breakpoint
CREATE INDEX `stripe_refunds_pending` ON `stripe_refunds` (`payment_id`) WHERE status IN ('pending', 'requires_action');--> statement-breakpoint
CREATE INDEX `stripe_refunds_at` ON `stripe_refunds` (`at`) WHERE status = 'succeeded';--> statement-breakpoint
CREATE TABLE `customer_notes` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`at` integer NOT NULL,
	`actor` text NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_role` text,
	`actor_via` text,
	`text` text NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `customer_notes_account` ON `customer_notes` (`account_id`,`at`,`id`);--> statement-breakpoint
CREATE TABLE `offers` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`days` integer,
	`every` text,
	`trial_days` integer,
	`level` text NOT NULL,
	`hidden` integer DEFAULT false NOT NULL,
	`devices` integer DEFAULT 1 NOT NULL,
	`edition` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`retired_at` integer,
	`version` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `owner_mail` (
	`account_id` text PRIMARY KEY NOT NULL,
	`off` text DEFAULT '[]' NOT NULL,
	`read_to` integer DEFAULT 0 NOT NULL,
	`mailed_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `owner_news` (
	`sequence` integer PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`payload` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `owner_news_created` ON `owner_news` (`created_at`);--> statement-breakpoint
CREATE TABLE `legal_texts` (
	`sha256` text PRIMARY KEY NOT NULL,
	`text` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `payment_evidence` (
	`payment_id` text PRIMARY KEY NOT NULL,
	`terms_edition` text NOT NULL,
	`terms_sha256` text NOT NULL,
	`refunds_sha256` text NOT NULL,
	`terms_accepted_at` integer NOT NULL,
	`buyer_sealed` text,
	`receipt_message_id` text,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `payment_evidence_buyers` ON `payment_evidence` (`terms_accepted_at`,`payment_id`) WHERE "payment_evidence"."buyer_sealed" is not null;--> statement-breakpoint
CREATE TABLE `payments` (
	`id` text PRIMARY KEY NOT NULL,
	`session_id` text NOT NULL,
	`intent_id` text,
	`state` text NOT NULL,
	`failure_reason` text,
	`method` text,
	`seal_version` integer DEFAULT 1 NOT NULL,
	`seal` text,
	`offer` text,
	`product` text,
	`level` text,
	`level_name` text,
	`days` integer,
	`devices` integer DEFAULT 1 NOT NULL,
	`every` text,
	`trial_days` integer,
	`trial_at` integer,
	`trial_card` text,
	`quantity` integer DEFAULT 1 NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`livemode` integer NOT NULL,
	`paid_amount` integer,
	`credit_amount` integer DEFAULT 0 NOT NULL,
	`outside_amount` integer DEFAULT 0 NOT NULL,
	`off_amount` integer DEFAULT 0 NOT NULL,
	`tax_amount` integer DEFAULT 0 NOT NULL,
	`tax_included` integer DEFAULT 0 NOT NULL,
	`promotion_code` text,
	`promotion_id` text,
	`refunded_amount` integer DEFAULT 0 NOT NULL,
	`refund_keeps` integer DEFAULT false NOT NULL,
	`invoice_url` text,
	`invoice_number` text,
	`buyer_country` text,
	`tax_id` text,
	`tax_id_kind` text,
	`card_brand` text,
	`card_last4` text,
	`charge_id` text,
	`gift_email` text,
	`unusual_gift_key` text,
	`gift_key` text GENERATED ALWAYS AS (coalesce(unusual_gift_key, lower(gift_email))) VIRTUAL,
	`gift_from` text,
	`gift_message` text,
	`gift_sent_at` integer,
	`refunded_at` integer,
	`dispute_status` text,
	`disputed_at` integer,
	`dispute_reason` text,
	`dispute_amount` integer,
	`dispute_currency` text,
	`dispute_answer_by` integer,
	`subscription` text,
	`period_ends_at` integer,
	`is_switch` integer DEFAULT false NOT NULL,
	`email` text,
	`unusual_email_key` text,
	`email_key` text GENERATED ALWAYS AS (coalesce(unusual_email_key, lower(email))) VIRTUAL,
	`email_domain` text GENERATED ALWAYS AS (substr(email_key, length(rtrim(email_key, replace(email_key, '@', ''))) + 1)) VIRTUAL,
	`account_id` text,
	`browser_hash` text,
	`created_at` integer NOT NULL,
	`paid_at` integer,
	`sold_at` integer,
	`receipt_sent_at` integer,
	`refused_mail` text,
	`mismatch` text,
	`fraud_warned_at` integer,
	`key_editions` text,
	`version` integer DEFAULT 0 NOT NULL,
	`looks` integer DEFAULT 0 NOT NULL,
	`changed` integer,
	`updated` integer GENERATED ALWAYS AS (coalesce(changed, 1000 * max(created_at, coalesce(paid_at, 0), coalesce(sold_at, 0), coalesce(refunded_at, 0), coalesce(disputed_at, 0)))) VIRTUAL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payments_session_id_unique` ON `payments` (`session_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `payments_intent_id_unique` ON `payments` (`intent_id`);--> statement-breakpoint
CREATE INDEX `payments_subscription` ON `payments` (`subscription`,`period_ends_at`) WHERE "payments"."subscription" is not null;--> statement-breakpoint
CREATE INDEX `payments_trials` ON `payments` (`account_id`) WHERE "payments"."trial_days" is not null;--> statement-breakpoint
CREATE INDEX `payments_trials_of_address` ON `payments` (`email_key`) WHERE "payments"."trial_days" is not null;--> statement-breakpoint
CREATE INDEX `payments_trials_of_browser` ON `payments` (`browser_hash`) WHERE "payments"."trial_days" is not null;--> statement-breakpoint
CREATE INDEX `payments_trials_of_card` ON `payments` (`trial_card`) WHERE "payments"."trial_days" is not null;--> statement-breakpoint
CREATE INDEX `payments_account` ON `payments` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `payments_bought` ON `payments` (`account_id`,`created_at`,`id`) WHERE "payments"."sold_at" is not null;--> statement-breakpoint
CREATE INDEX `payments_own_sold` ON `payments` (`account_id`,`sold_at`) WHERE ("payments"."sold_at" is not null and "payments"."gift_email" is null);--> statement-breakpoint
CREATE INDEX `payments_state` ON `payments` (`state`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `payments_created` ON `payments` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `payments_offer` ON `payments` (`offer`,`state`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `payments_account_state` ON `payments` (`account_id`,`state`,`created_at`,`id`,`offer`) WHERE "payments"."account_id" is not null;--> statement-breakpoint
CREATE INDEX `payments_evidence_due` ON `payments` (`livemode`,`dispute_answer_by`) WHERE "payments"."dispute_answer_by" is not null;--> statement-breakpoint
CREATE INDEX `payments_fraud_warned` ON `payments` (`fraud_warned_at`) WHERE "payments"."fraud_warned_at" is not null;--> statement-breakpoint
CREATE INDEX `payments_mismatched` ON `payments` (`created_at`) WHERE (mismatch IS NOT NULL AND sold_at IS NULL AND refunded_at IS NULL);--> statement-breakpoint
CREATE INDEX `payments_refused_mail` ON `payments` (`created_at`,`id`) WHERE "payments"."refused_mail" is not null;--> statement-breakpoint
CREATE INDEX `payments_email_key` ON `payments` (`email_key`,created_at DESC);--> statement-breakpoint
CREATE INDEX `payments_domain` ON `payments` (`email_domain`,`created_at`,`id`) WHERE "payments"."email_domain" is not null;--> statement-breakpoint
CREATE INDEX `payments_gift_key` ON `payments` (`gift_key`,`created_at`) WHERE "payments"."gift_key" is not null;--> statement-breakpoint
CREATE INDEX `payments_dispute` ON `payments` (`dispute_status`) WHERE "payments"."dispute_status" is not null;--> statement-breakpoint
CREATE INDEX `payments_paid` ON `payments` (`paid_at`);--> statement-breakpoint
CREATE INDEX `payments_paid_outside` ON `payments` (`livemode`,`paid_at`,`id`) WHERE (outside_amount > 0);--> statement-breakpoint
CREATE INDEX `payments_charge` ON `payments` (`charge_id`) WHERE "payments"."charge_id" is not null;--> statement-breakpoint
CREATE INDEX `payments_card` ON `payments` (`card_last4`,`created_at`,`id`) WHERE "payments"."card_last4" is not null;--> statement-breakpoint
CREATE INDEX `payments_by_code` ON `payments` (`promotion_id`,`state`,`id`) WHERE "payments"."promotion_id" is not null;--> statement-breakpoint
CREATE INDEX `payments_undecided` ON `payments` (`livemode`,`id`) WHERE (state = 'processing' OR dispute_status IN ('appeal_needs_response', 'appeal_under_review', 'needs_response', 'under_review', 'warning_needs_response', 'warning_under_review') OR (state = 'failed' AND subscription IS NOT NULL AND seal IS NOT NULL AND sold_at IS NULL));--> statement-breakpoint
CREATE INDEX `payments_kept` ON `payments` (`seal_version`,`id`) WHERE (state = 'processing' AND paid_at IS NOT NULL);--> statement-breakpoint
CREATE INDEX `payments_updated` ON `payments` (`livemode`,`updated`,`id`) WHERE (state <> 'open');--> statement-breakpoint
CREATE INDEX `payments_email_updated` ON `payments` (`email_key`,`updated`,`id`) WHERE (state <> 'open');--> statement-breakpoint
CREATE TABLE `processes` (
	`id` text PRIMARY KEY NOT NULL,
	`version` text NOT NULL,
	`settings` text NOT NULL,
	`brand` text NOT NULL,
	`started_at` integer NOT NULL,
	`seen_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `processes_seen` ON `processes` (`seen_at`);--> statement-breakpoint
CREATE TABLE `refunds` (
	`id` text PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL,
	`amount` integer NOT NULL,
	`state` text NOT NULL,
	`request` text NOT NULL,
	`attempt` integer DEFAULT 0 NOT NULL,
	`reason` text NOT NULL,
	`keeps` integer DEFAULT false NOT NULL,
	`asked_by` text NOT NULL,
	`decided_by` text,
	`ticket_id` text,
	`capped_on` text,
	`stripe_id` text,
	`made_at` integer,
	`refusal` text,
	`created_at` integer NOT NULL,
	`decided_at` integer,
	`failed_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_request` ON `refunds` (`request`) WHERE "refunds"."state" IN ('proposed', 'approved', 'made');--> statement-breakpoint
CREATE INDEX `refunds_created` ON `refunds` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `refunds_state` ON `refunds` (`state`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `refunds_stripe` ON `refunds` (`stripe_id`) WHERE "refunds"."stripe_id" is not null;--> statement-breakpoint
CREATE INDEX `refunds_failed` ON `refunds` (`failed_at`) WHERE "refunds"."failed_at" is not null;--> statement-breakpoint
CREATE INDEX `refunds_capped_on` ON `refunds` (`capped_on`);--> statement-breakpoint
CREATE INDEX `refunds_payment` ON `refunds` (`payment_id`);--> statement-breakpoint
CREATE INDEX `refunds_ticket` ON `refunds` (`ticket_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_proposed` ON `refunds` (`ticket_id`) WHERE "refunds"."state" = 'proposed';--> statement-breakpoint
CREATE TABLE `release_uploads` (
	`id` text PRIMARY KEY NOT NULL,
	`state` text DEFAULT 'sending' NOT NULL,
	`terms` text NOT NULL,
	`account_id` text NOT NULL,
	`reason` text NOT NULL,
	`received` integer DEFAULT 0 NOT NULL,
	`stored_bytes` integer DEFAULT 0 NOT NULL,
	`refusal` text,
	`created_at` integer NOT NULL,
	`touched_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `release_uploads_touched` ON `release_uploads` (`touched_at`);--> statement-breakpoint
CREATE INDEX `release_uploads_open` ON `release_uploads` (`created_at`,`id`) WHERE state IN ('sending', 'publishing', 'refused');--> statement-breakpoint
CREATE TABLE `builds` (
	`release_id` text NOT NULL,
	`platform` text NOT NULL,
	`file_name` text NOT NULL,
	`size` integer NOT NULL,
	`sha256` text NOT NULL,
	`sha512` text NOT NULL,
	`signature` text NOT NULL,
	PRIMARY KEY(`release_id`, `platform`),
	FOREIGN KEY (`release_id`) REFERENCES `releases`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `news` (
	`id` text PRIMARY KEY NOT NULL,
	`date` integer NOT NULL,
	`title` text NOT NULL,
	`content` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `releases` (
	`id` text PRIMARY KEY NOT NULL,
	`version` text NOT NULL,
	`channel` text NOT NULL,
	`title` text NOT NULL,
	`content` text NOT NULL,
	`rollout` integer DEFAULT 100 NOT NULL,
	`minimum_version` text,
	`signing_key` text,
	`published_at` integer NOT NULL,
	`yanked_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `releases_version_unique` ON `releases` (`version`);--> statement-breakpoint
CREATE INDEX `releases_channel` ON `releases` (`channel`,`yanked_at`);--> statement-breakpoint
CREATE INDEX `releases_published` ON `releases` (`published_at`,`id`);--> statement-breakpoint
CREATE INDEX `releases_of_channel` ON `releases` (`channel`,`published_at`,`id`);--> statement-breakpoint
CREATE TABLE `server_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`key_hash` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `server_keys_name_unique` ON `server_keys` (`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `server_keys_key_hash_unique` ON `server_keys` (`key_hash`);--> statement-breakpoint
CREATE TABLE `desk_sessions` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`session_id` text NOT NULL,
	`staff_id` text NOT NULL,
	`credentials` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`confirmed_at` integer NOT NULL,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`staff_id`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `desk_sessions_session` ON `desk_sessions` (`session_id`);--> statement-breakpoint
CREATE INDEX `desk_sessions_staff` ON `desk_sessions` (`staff_id`);--> statement-breakpoint
CREATE INDEX `desk_sessions_created` ON `desk_sessions` (`created_at`);--> statement-breakpoint
CREATE TABLE `staff` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`role` text NOT NULL,
	`created_at` integer NOT NULL,
	`asleep_since` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `staff_account_id_unique` ON `staff` (`account_id`);--> statement-breakpoint
CREATE INDEX `staff_role` ON `staff` (`role`);--> statement-breakpoint
CREATE TABLE `staff_invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`role` text NOT NULL,
	`mailed` integer NOT NULL,
	`invited_by` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `staff_invitations_email_key_unique` ON `staff_invitations` (`email_key`);--> statement-breakpoint
CREATE INDEX `staff_invitations_expires` ON `staff_invitations` (`expires_at`);--> statement-breakpoint
CREATE INDEX `staff_invitations_by` ON `staff_invitations` (`invited_by`) WHERE "staff_invitations"."invited_by" is not null;--> statement-breakpoint
CREATE TABLE `staff_requests` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`asked` text NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `staff_requests_account` ON `staff_requests` (`account_id`);--> statement-breakpoint
CREATE INDEX `staff_requests_expires` ON `staff_requests` (`expires_at`);--> statement-breakpoint
CREATE TABLE `stripe_endpoints` (
	`id` text PRIMARY KEY NOT NULL,
	`secret_sealed` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `subscription_runs` (
	`subscription_id` text NOT NULL,
	`livemode` integer NOT NULL,
	`currency` text NOT NULL,
	`offer` text NOT NULL,
	`level` text NOT NULL,
	`yearly` integer NOT NULL,
	`from` integer NOT NULL,
	`until` integer,
	PRIMARY KEY(`subscription_id`, `from`),
	FOREIGN KEY (`subscription_id`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `subscription_runs_from` ON `subscription_runs` (`from`);--> statement-breakpoint
CREATE INDEX `subscription_runs_until` ON `subscription_runs` (`until`) WHERE "subscription_runs"."until" is not null;--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`stripe_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`billing_email` text,
	`status` text NOT NULL,
	`item` text,
	`offer` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`every` text NOT NULL,
	`price` text NOT NULL,
	`level` text NOT NULL,
	`devices` integer DEFAULT 1 NOT NULL,
	`paid_until` integer,
	`net_amount` integer DEFAULT 0 NOT NULL,
	`next_amount` integer,
	`next_lacks` text,
	`renews_at` integer,
	`ends_at` integer,
	`ended_at` integer,
	`changes_to` text,
	`changes_at` integer,
	`card_brand` text,
	`card_last4` text,
	`general_card` text,
	`livemode` integer NOT NULL,
	`account_id` text,
	`erased_at` integer,
	`started_at` integer NOT NULL,
	`trial` integer DEFAULT false NOT NULL,
	`first_paid_at` integer,
	`looked_at` integer NOT NULL,
	`look_again_at` integer,
	`reminded_of` integer,
	`version` integer DEFAULT 0 NOT NULL,
	`changed` integer,
	`updated` integer GENERATED ALWAYS AS (coalesce(changed, 1000 * started_at)) VIRTUAL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_stripe_id_unique` ON `subscriptions` (`stripe_id`);--> statement-breakpoint
CREATE INDEX `subscriptions_account` ON `subscriptions` (`account_id`,`ended_at`,`started_at`);--> statement-breakpoint
CREATE INDEX `subscriptions_customer` ON `subscriptions` (`customer_id`);--> statement-breakpoint
CREATE INDEX `subscriptions_card` ON `subscriptions` (`card_last4`,`started_at`,`id`) WHERE "subscriptions"."card_last4" is not null;--> statement-breakpoint
CREATE INDEX `subscriptions_untold` ON `subscriptions` (`renews_at`) WHERE ((status = 'trialing' OR every = 'year') AND reminded_of IS NOT renews_at AND renews_at IS NOT NULL);--> statement-breakpoint
CREATE INDEX `subscriptions_updated` ON `subscriptions` ((livemode + 0),`updated`,`id`);--> statement-breakpoint
CREATE INDEX `subscriptions_started` ON `subscriptions` (`started_at`,`id`);--> statement-breakpoint
CREATE INDEX `subscriptions_status` ON `subscriptions` (`status`,`started_at`,`id`);--> statement-breakpoint
CREATE INDEX `subscriptions_offer` ON `subscriptions` (`offer`,`status`,`started_at`,`id`);--> statement-breakpoint
CREATE INDEX `subscriptions_account_status` ON `subscriptions` (`account_id`,`status`,`started_at`,`id`,`offer`);--> statement-breakpoint
CREATE INDEX `subscriptions_first_paid` ON `subscriptions` (`first_paid_at`,`livemode`,`currency`,`offer`) WHERE "subscriptions"."first_paid_at" is not null;--> statement-breakpoint
CREATE INDEX `subscriptions_trials` ON `subscriptions` (`started_at`,`livemode`,`currency`,`offer`,`status`,`first_paid_at`) WHERE (trial = 1);--> statement-breakpoint
CREATE INDEX `subscriptions_ended` ON `subscriptions` (`ended_at`,`livemode`,`currency`,`offer`,`first_paid_at`) WHERE "subscriptions"."ended_at" is not null;--> statement-breakpoint
CREATE INDEX `subscriptions_unended` ON `subscriptions` (`livemode`) WHERE "subscriptions"."ended_at" is null;--> statement-breakpoint
CREATE INDEX `subscriptions_look_again` ON `subscriptions` (`livemode`,`look_again_at`) WHERE "subscriptions"."look_again_at" is not null;--> statement-breakpoint
CREATE TABLE `saved_replies` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`text` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `saved_replies_name_unique` ON `saved_replies` (`name`);--> statement-breakpoint
CREATE TABLE `ticket_files` (
	`id` text PRIMARY KEY NOT NULL,
	`message_id` text NOT NULL,
	`ticket_id` text NOT NULL,
	`name` text NOT NULL,
	`size` integer NOT NULL,
	`url` text NOT NULL,
	`state` text DEFAULT 'waiting' NOT NULL,
	`address` text,
	`type` text,
	FOREIGN KEY (`message_id`) REFERENCES `ticket_messages`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `ticket_files_message` ON `ticket_files` (`message_id`);--> statement-breakpoint
CREATE INDEX `ticket_files_ticket` ON `ticket_files` (`ticket_id`);--> statement-breakpoint
CREATE INDEX `ticket_files_state` ON `ticket_files` (`state`,`size`);--> statement-breakpoint
CREATE INDEX `ticket_files_address` ON `ticket_files` (`address`);--> statement-breakpoint
CREATE TABLE `ticket_guests` (
	`ticket_id` text NOT NULL,
	`discord_user_id` text NOT NULL,
	PRIMARY KEY(`ticket_id`, `discord_user_id`),
	FOREIGN KEY (`ticket_id`) REFERENCES `tickets`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `ticket_guests_member` ON `ticket_guests` (`discord_user_id`);--> statement-breakpoint
CREATE TABLE `ticket_messages` (
	`id` text PRIMARY KEY NOT NULL,
	`ticket_id` text NOT NULL,
	`via` text DEFAULT 'discord' NOT NULL,
	`author` text NOT NULL,
	`author_id` text NOT NULL,
	`author_name` text NOT NULL,
	`content` text NOT NULL,
	`at` integer NOT NULL,
	`edited_at` integer,
	`deleted_at` integer,
	`before` text DEFAULT '[]' NOT NULL,
	`posting_at` integer,
	`posted_at` integer,
	FOREIGN KEY (`ticket_id`) REFERENCES `tickets`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `ticket_messages_unposted` ON `ticket_messages` (`ticket_id`,`at`,`id`) WHERE via = 'site' AND posted_at IS NULL;--> statement-breakpoint
CREATE INDEX `ticket_messages_order` ON `ticket_messages` (`ticket_id`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `ticket_messages_author` ON `ticket_messages` (`author_id`,`at`);--> statement-breakpoint
CREATE INDEX `ticket_messages_staff` ON `ticket_messages` (`ticket_id`,`at`,`author_id`) WHERE author = 'staff';--> statement-breakpoint
CREATE TABLE `ticket_posts` (
	`id` text PRIMARY KEY NOT NULL,
	`message_id` text NOT NULL,
	`part` integer NOT NULL,
	FOREIGN KEY (`message_id`) REFERENCES `ticket_messages`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ticket_posts_part` ON `ticket_posts` (`message_id`,`part`);--> statement-breakpoint
CREATE TABLE `tickets` (
	`id` text PRIMARY KEY NOT NULL,
	`number` integer NOT NULL,
	`topic` text NOT NULL,
	`via` text DEFAULT 'discord' NOT NULL,
	`discord_user_id` text,
	`in_thread` integer DEFAULT false NOT NULL,
	`former_member_id` text,
	`member_name` text NOT NULL,
	`account_id` text,
	`question` text NOT NULL,
	`state` text DEFAULT 'open' NOT NULL,
	`opened_at` integer NOT NULL,
	`round` integer DEFAULT 1 NOT NULL,
	`thread_asked_at` integer,
	`thread_id` text,
	`threads_lost` integer DEFAULT 0 NOT NULL,
	`greeting_id` text,
	`farewell_id` text,
	`card_id` text,
	`claimed_by` text,
	`escalated_at` integer,
	`first_answer_at` integer,
	`waiting_for` text DEFAULT 'staff' NOT NULL,
	`waiting_since` integer NOT NULL,
	`reminded_at` integer,
	`closed_at` integer,
	`closed_by` text,
	`close_reason` text,
	`stars` integer,
	`rating_comment` text,
	`answered_at` integer,
	`looked_at` integer,
	`mail_due_at` integer,
	`mailed_at` integer,
	`full_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tickets_number_unique` ON `tickets` (`number`);--> statement-breakpoint
CREATE UNIQUE INDEX `tickets_thread_id_unique` ON `tickets` (`thread_id`);--> statement-breakpoint
CREATE INDEX `tickets_open_member` ON `tickets` (`discord_user_id`) WHERE state = 'open';--> statement-breakpoint
CREATE INDEX `tickets_open_account` ON `tickets` (`account_id`) WHERE state = 'open';--> statement-breakpoint
CREATE INDEX `tickets_mail_due` ON `tickets` (`mail_due_at`) WHERE mail_due_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `tickets_member` ON `tickets` (`discord_user_id`,`opened_at`,`id`);--> statement-breakpoint
CREATE INDEX `tickets_member_name` ON `tickets` (lower(member_name),opened_at DESC);--> statement-breakpoint
CREATE INDEX `tickets_account` ON `tickets` (`account_id`,`opened_at`,`id`);--> statement-breakpoint
CREATE INDEX `tickets_unowned` ON `tickets` (`discord_user_id`,`account_id`,`opened_at`,`id`);--> statement-breakpoint
CREATE INDEX `tickets_state` ON `tickets` (`state`,`closed_at`,`id`,`topic`,`opened_at`);--> statement-breakpoint
CREATE INDEX `tickets_card` ON `tickets` (`card_id`);--> statement-breakpoint
CREATE INDEX `tickets_opened` ON `tickets` (`opened_at`,`id`,`topic`,`first_answer_at`,`stars`);--> statement-breakpoint
CREATE INDEX `tickets_commented` ON `tickets` (`opened_at`,`id`) WHERE rating_comment IS NOT NULL AND stars IS NOT NULL;--> statement-breakpoint
CREATE INDEX `tickets_claimed` ON `tickets` (`claimed_by`,`state`,`opened_at`,`id`) WHERE claimed_by IS NOT NULL;--> statement-breakpoint
CREATE INDEX `tickets_state_opened` ON `tickets` (`state`,`opened_at`,`id`);--> statement-breakpoint
CREATE INDEX `tickets_claimed_waiting` ON `tickets` (`claimed_by`,`waiting_for`,`waiting_since`,`id`) WHERE state = 'open';--> statement-breakpoint
CREATE INDEX `tickets_waiting` ON `tickets` (waiting_for DESC,`waiting_since`,`id`) WHERE state = 'open';--> statement-breakpoint
CREATE TABLE `unsubscribed` (
	`address_hash` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`event_id` text NOT NULL,
	`endpoint_id` text NOT NULL,
	`state` text DEFAULT 'waiting' NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	`tried_at` integer,
	`milliseconds` integer,
	`status` integer,
	`failure` text,
	`answer_sealed` text,
	FOREIGN KEY (`event_id`) REFERENCES `webhook_events`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`endpoint_id`) REFERENCES `webhook_endpoints`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`endpoint_id`,`due_at`,`id`) WHERE state = 'waiting';--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_deliveries_waiting` ON `webhook_deliveries` (`event_id`,`endpoint_id`) WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX `webhook_deliveries_endpoint` ON `webhook_deliveries` (`endpoint_id`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_event` ON `webhook_deliveries` (`event_id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_created` ON `webhook_deliveries` (`created_at`);--> statement-breakpoint
CREATE TABLE `webhook_endpoints` (
	`id` text PRIMARY KEY NOT NULL,
	`url` text NOT NULL,
	`types` text,
	`secret_sealed` text NOT NULL,
	`former_secret_sealed` text,
	`former_secret_until` integer,
	`created_at` integer NOT NULL,
	`failing_since` integer,
	`disabled_at` integer,
	`disabled_why` text,
	`removed_at` integer,
	`version` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `webhook_events` (
	`id` text PRIMARY KEY NOT NULL,
	`sequence` integer NOT NULL,
	`type` text NOT NULL,
	`account_id` text,
	`email_key` text,
	`must_empty` integer DEFAULT false NOT NULL,
	`at` integer NOT NULL,
	`body_sealed` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhook_events_at` ON `webhook_events` (`at`);--> statement-breakpoint
CREATE INDEX `webhook_events_account` ON `webhook_events` (`account_id`) WHERE "webhook_events"."account_id" is not null;--> statement-breakpoint
CREATE INDEX `webhook_events_must_empty` ON `webhook_events` (`must_empty`) WHERE must_empty = 1;--> statement-breakpoint
CREATE INDEX `webhook_events_email` ON `webhook_events` (`email_key`) WHERE "webhook_events"."email_key" is not null;--> statement-breakpoint
-- Written by hand: views, triggers and first rows.
CREATE TRIGGER `accounts_added` AFTER INSERT ON `accounts` BEGIN UPDATE `row_counts` SET `count` = `count` + 1 WHERE `table_name` = 'accounts'; END;--> statement-breakpoint
CREATE TRIGGER `accounts_removed` AFTER DELETE ON `accounts` BEGIN UPDATE `row_counts` SET `count` = `count` - 1 WHERE `table_name` = 'accounts'; END;--> statement-breakpoint
CREATE TRIGGER `licences_ordered` AFTER INSERT ON `licences` WHEN NEW.`ordered_at` IS NULL AND coalesce(NEW.`payment_id`, NEW.`further_payment_id`) IS NOT NULL BEGIN UPDATE `licences` SET `ordered_at` = (SELECT `created_at` FROM `payments` WHERE `id` = coalesce(NEW.`payment_id`, NEW.`further_payment_id`)) WHERE `id` = NEW.`id`; END;--> statement-breakpoint
CREATE TRIGGER `audit_numbered` AFTER INSERT ON `audit_log` WHEN NEW.`sequence` IS NULL BEGIN UPDATE `audit_log` SET `sequence` = max(NEW.`at`, 1 + coalesce((SELECT max(`sequence`) FROM `audit_log` WHERE `sequence` IS NOT NULL), 0)) WHERE rowid = NEW.rowid; END;--> statement-breakpoint
CREATE TRIGGER `accounts_new_change` AFTER INSERT ON `accounts` WHEN NEW.`changed` IS NULL BEGIN UPDATE `change_clock` SET `last` = max(`last` + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000); UPDATE `accounts` SET `changed` = (SELECT `last` FROM `change_clock`) WHERE rowid = NEW.rowid; END;--> statement-breakpoint
CREATE TRIGGER `accounts_change` AFTER UPDATE OF `username`, `email`, `email_confirmed_at` ON `accounts` WHEN (OLD.`username` IS NOT NEW.`username` OR OLD.`email` IS NOT NEW.`email` OR (OLD.`email_confirmed_at` IS NULL) <> (NEW.`email_confirmed_at` IS NULL)) BEGIN UPDATE `change_clock` SET `last` = max(`last` + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000); UPDATE `accounts` SET `changed` = (SELECT `last` FROM `change_clock`) WHERE rowid = NEW.rowid; END;--> statement-breakpoint
CREATE TRIGGER `licences_new_change` AFTER INSERT ON `licences` WHEN NEW.`changed` IS NULL BEGIN UPDATE `change_clock` SET `last` = max(`last` + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000); UPDATE `licences` SET `changed` = (SELECT `last` FROM `change_clock`) WHERE rowid = NEW.rowid; END;--> statement-breakpoint
CREATE TRIGGER `payments_new_change` AFTER INSERT ON `payments` WHEN NEW.`changed` IS NULL AND NEW.`state` <> 'open' BEGIN UPDATE `change_clock` SET `last` = max(`last` + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000); UPDATE `payments` SET `changed` = (SELECT `last` FROM `change_clock`) WHERE rowid = NEW.rowid; END;--> statement-breakpoint
CREATE TRIGGER `payments_change` AFTER UPDATE OF `state`, `intent_id`, `account_id`, `email`, `seal_version`, `offer`, `quantity`, `amount`, `currency`, `livemode`, `paid_amount`, `refunded_amount`, `sold_at` ON `payments` WHEN (OLD.`state` IS NOT NEW.`state` OR OLD.`intent_id` IS NOT NEW.`intent_id` OR OLD.`account_id` IS NOT NEW.`account_id` OR OLD.`email` IS NOT NEW.`email` OR OLD.`seal_version` IS NOT NEW.`seal_version` OR OLD.`offer` IS NOT NEW.`offer` OR OLD.`quantity` IS NOT NEW.`quantity` OR OLD.`amount` IS NOT NEW.`amount` OR OLD.`currency` IS NOT NEW.`currency` OR OLD.`livemode` IS NOT NEW.`livemode` OR OLD.`paid_amount` IS NOT NEW.`paid_amount` OR OLD.`refunded_amount` IS NOT NEW.`refunded_amount` OR OLD.`sold_at` IS NOT NEW.`sold_at`) AND NEW.`state` <> 'open' BEGIN UPDATE `change_clock` SET `last` = max(`last` + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000); UPDATE `payments` SET `changed` = (SELECT `last` FROM `change_clock`) WHERE rowid = NEW.rowid; END;--> statement-breakpoint
CREATE TRIGGER `accounts_email_change` AFTER UPDATE OF `email`, `email_confirmed_at` ON `accounts` WHEN (OLD.`email` IS NOT NEW.`email` OR (OLD.`email_confirmed_at` IS NULL) <> (NEW.`email_confirmed_at` IS NULL)) BEGIN UPDATE `change_clock` SET `last` = max(`last` + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000); UPDATE `licences` SET `changed` = (SELECT `last` FROM `change_clock`) WHERE `account_id` = NEW.`id`; END;--> statement-breakpoint
CREATE TRIGGER `payments_named_change` AFTER UPDATE OF `intent_id` ON `payments` WHEN OLD.`intent_id` IS NOT NEW.`intent_id` BEGIN UPDATE `change_clock` SET `last` = max(`last` + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000); UPDATE `licences` SET `changed` = (SELECT `last` FROM `change_clock`) WHERE `sold_payment_id` = NEW.`id`; END;--> statement-breakpoint
CREATE TRIGGER `payments_email_change` AFTER UPDATE OF `email`, `gift_email` ON `payments` WHEN (OLD.`email` IS NOT NEW.`email` OR OLD.`gift_email` IS NOT NEW.`gift_email`) BEGIN UPDATE `change_clock` SET `last` = max(`last` + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000); UPDATE `licences` SET `changed` = (SELECT `last` FROM `change_clock`) WHERE `sold_payment_id` = NEW.`id` AND `redeemed_at` IS NULL; END;--> statement-breakpoint
CREATE TRIGGER `subscriptions_new_change` AFTER INSERT ON `subscriptions` WHEN NEW.`changed` IS NULL BEGIN UPDATE `change_clock` SET `last` = max(`last` + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000); UPDATE `subscriptions` SET `changed` = (SELECT `last` FROM `change_clock`) WHERE rowid = NEW.rowid; END;--> statement-breakpoint
CREATE TRIGGER `subscriptions_change` AFTER UPDATE OF `status`, `account_id`, `renews_at`, `ends_at`, `livemode`, `level` ON `subscriptions` WHEN (OLD.`status` IS NOT NEW.`status` OR OLD.`account_id` IS NOT NEW.`account_id` OR OLD.`renews_at` IS NOT NEW.`renews_at` OR OLD.`ends_at` IS NOT NEW.`ends_at` OR OLD.`livemode` IS NOT NEW.`livemode` OR OLD.`level` IS NOT NEW.`level`) BEGIN UPDATE `change_clock` SET `last` = max(`last` + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000); UPDATE `subscriptions` SET `changed` = (SELECT `last` FROM `change_clock`) WHERE rowid = NEW.rowid; END;--> statement-breakpoint
CREATE TRIGGER `subscriptions_licensed` AFTER INSERT ON `licences` WHEN EXISTS (SELECT 1 FROM `subscriptions` WHERE `id` = NEW.`payment_id`) BEGIN UPDATE `change_clock` SET `last` = max(`last` + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000); UPDATE `subscriptions` SET `changed` = (SELECT `last` FROM `change_clock`) WHERE `id` = NEW.`payment_id`; END;--> statement-breakpoint
CREATE TRIGGER `subscriptions_email_change` AFTER UPDATE OF `email` ON `payments` WHEN OLD.`email` IS NOT NEW.`email` AND EXISTS (SELECT 1 FROM `subscriptions` WHERE `id` = NEW.`id`) BEGIN UPDATE `change_clock` SET `last` = max(`last` + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000); UPDATE `subscriptions` SET `changed` = (SELECT `last` FROM `change_clock`) WHERE `id` = NEW.`id`; END;--> statement-breakpoint
CREATE TRIGGER `subscriptions_owner_change` AFTER UPDATE OF `email`, `email_confirmed_at` ON `accounts` WHEN (OLD.`email` IS NOT NEW.`email` OR (OLD.`email_confirmed_at` IS NULL) <> (NEW.`email_confirmed_at` IS NULL)) BEGIN UPDATE `change_clock` SET `last` = max(`last` + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000); UPDATE `subscriptions` SET `changed` = (SELECT `last` FROM `change_clock`) WHERE `account_id` = NEW.`id` AND EXISTS (SELECT 1 FROM `payments` WHERE `payments`.`id` = `subscriptions`.`id` AND (`email` IS NULL OR (OLD.`email_confirmed_at` IS NOT NULL AND `email_key` IS OLD.`email_key`) <> (NEW.`email_confirmed_at` IS NOT NULL AND `email_key` IS NEW.`email_key`))); END;--> statement-breakpoint
CREATE TRIGGER `payments_owner_change` AFTER UPDATE OF `email`, `email_confirmed_at` ON `accounts` WHEN (OLD.`email` IS NOT NEW.`email` OR (OLD.`email_confirmed_at` IS NULL) <> (NEW.`email_confirmed_at` IS NULL)) BEGIN UPDATE `change_clock` SET `last` = max(`last` + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000); UPDATE `payments` SET `changed` = (SELECT `last` FROM `change_clock`) WHERE `account_id` = NEW.`id` AND `state` <> 'open' AND (OLD.`email_confirmed_at` IS NOT NULL AND +`email_key` IS OLD.`email_key`) <> (NEW.`email_confirmed_at` IS NOT NULL AND +`email_key` IS NEW.`email_key`); END;--> statement-breakpoint
CREATE TRIGGER `licences_offered` AFTER INSERT ON `licences` WHEN NEW.`offer` IS NULL AND coalesce(NEW.`payment_id`, NEW.`further_payment_id`) IS NOT NULL BEGIN UPDATE `licences` SET `offer` = (SELECT coalesce(`payments`.`offer`, '') FROM `payments` WHERE `payments`.`id` = coalesce(NEW.`payment_id`, NEW.`further_payment_id`)) WHERE `id` = NEW.`id`; END;--> statement-breakpoint
CREATE TRIGGER `licences_change` AFTER UPDATE OF `payment_standing`, `suspended_at`, `revoked_at`, `livemode`, `account_id`, `redeemed_at`, `expires_at`, `payment_id`, `further_payment_id`, `devices`, `type` ON `licences` WHEN (OLD.`payment_standing` IS NOT NEW.`payment_standing` OR OLD.`suspended_at` IS NOT NEW.`suspended_at` OR OLD.`revoked_at` IS NOT NEW.`revoked_at` OR OLD.`livemode` IS NOT NEW.`livemode` OR OLD.`account_id` IS NOT NEW.`account_id` OR OLD.`redeemed_at` IS NOT NEW.`redeemed_at` OR OLD.`expires_at` IS NOT NEW.`expires_at` OR OLD.`payment_id` IS NOT NEW.`payment_id` OR OLD.`further_payment_id` IS NOT NEW.`further_payment_id` OR OLD.`devices` IS NOT NEW.`devices` OR OLD.`type` IS NOT NEW.`type`) BEGIN UPDATE `change_clock` SET `last` = max(`last` + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000); UPDATE `licences` SET `changed` = (SELECT `last` FROM `change_clock`) WHERE rowid = NEW.rowid; END;--> statement-breakpoint
CREATE VIEW `changed_facts` AS SELECT NULL AS `at` WHERE 0;--> statement-breakpoint
CREATE TRIGGER `figure_days_marked` INSTEAD OF INSERT ON `changed_facts` BEGIN UPDATE `figure_days` SET `mark` = hex(randomblob(8)) WHERE `at` = (SELECT max(`at`) FROM `figure_days` WHERE `at` <= NEW.`at`) AND `until` > NEW.`at`; END;--> statement-breakpoint
CREATE TRIGGER `accounts_counted` AFTER INSERT ON `accounts` BEGIN INSERT INTO `changed_facts` (`at`) VALUES (NEW.`created_at`); END;--> statement-breakpoint
CREATE TRIGGER `accounts_uncounted` AFTER DELETE ON `accounts` BEGIN INSERT INTO `deleted_counts` (`at`, `livemode`, `currency`, `offer`, `accounts`) VALUES (OLD.`created_at` - OLD.`created_at` % 900000, 2, '', '', 1) ON CONFLICT (`at`, `livemode`, `currency`, `offer`) DO UPDATE SET `accounts` = `accounts` + 1; END;--> statement-breakpoint
CREATE TRIGGER `payments_counted` AFTER INSERT ON `payments` BEGIN INSERT INTO `changed_facts` (`at`) VALUES (NEW.`created_at`), (NEW.`paid_at`); END;--> statement-breakpoint
CREATE TRIGGER `payments_recounted` AFTER UPDATE OF `livemode`, `currency`, `offer`, `level`, `promotion_code`, `created_at`, `paid_at`, `sold_at`, `paid_amount`, `amount`, `off_amount` ON `payments` WHEN (OLD.`livemode`, OLD.`currency`, OLD.`offer`, OLD.`level`, OLD.`promotion_code`, OLD.`created_at`, OLD.`paid_at`, OLD.`sold_at`, OLD.`paid_amount`, OLD.`amount`, OLD.`off_amount`) IS NOT (NEW.`livemode`, NEW.`currency`, NEW.`offer`, NEW.`level`, NEW.`promotion_code`, NEW.`created_at`, NEW.`paid_at`, NEW.`sold_at`, NEW.`paid_amount`, NEW.`amount`, NEW.`off_amount`) BEGIN INSERT INTO `changed_facts` (`at`) VALUES (OLD.`created_at`), (OLD.`paid_at`), (NEW.`created_at`), (NEW.`paid_at`); INSERT INTO `changed_facts` (`at`) SELECT `at` FROM `stripe_refunds` WHERE `payment_id` = NEW.`id` UNION ALL SELECT `taken_at` FROM `disputes` WHERE `payment_id` = NEW.`id` UNION ALL SELECT `returned_at` FROM `disputes` WHERE `payment_id` = NEW.`id`; END;--> statement-breakpoint
CREATE TRIGGER `payments_uncounted` AFTER DELETE ON `payments` BEGIN INSERT INTO `changed_facts` (`at`) VALUES (OLD.`paid_at`); INSERT INTO `deleted_counts` (`at`, `livemode`, `currency`, `offer`, `checkouts`) SELECT OLD.`created_at` - OLD.`created_at` % 900000, OLD.`livemode`, OLD.`currency`, coalesce(OLD.`offer`, ''), 1 WHERE OLD.`session_id` NOT GLOB 'in_*' ON CONFLICT (`at`, `livemode`, `currency`, `offer`) DO UPDATE SET `checkouts` = `checkouts` + 1; END;--> statement-breakpoint
CREATE TRIGGER `stripe_refunds_counted` AFTER INSERT ON `stripe_refunds` BEGIN INSERT INTO `changed_facts` (`at`) VALUES (NEW.`at`); END;--> statement-breakpoint
CREATE TRIGGER `stripe_refunds_recounted` AFTER UPDATE OF `payment_id`, `amount`, `currency`, `status`, `at` ON `stripe_refunds` WHEN (OLD.`payment_id`, OLD.`amount`, OLD.`currency`, OLD.`status`, OLD.`at`) IS NOT (NEW.`payment_id`, NEW.`amount`, NEW.`currency`, NEW.`status`, NEW.`at`) BEGIN INSERT INTO `changed_facts` (`at`) VALUES (OLD.`at`), (NEW.`at`); END;--> statement-breakpoint
CREATE TRIGGER `stripe_refunds_uncounted` AFTER DELETE ON `stripe_refunds` BEGIN INSERT INTO `changed_facts` (`at`) VALUES (OLD.`at`); END;--> statement-breakpoint
CREATE TRIGGER `disputes_counted` AFTER INSERT ON `disputes` BEGIN INSERT INTO `changed_facts` (`at`) VALUES (NEW.`taken_at`), (NEW.`returned_at`); END;--> statement-breakpoint
CREATE TRIGGER `disputes_recounted` AFTER UPDATE OF `payment_id`, `amount`, `currency`, `taken_at`, `returned_at` ON `disputes` WHEN (OLD.`payment_id`, OLD.`amount`, OLD.`currency`, OLD.`taken_at`, OLD.`returned_at`) IS NOT (NEW.`payment_id`, NEW.`amount`, NEW.`currency`, NEW.`taken_at`, NEW.`returned_at`) BEGIN INSERT INTO `changed_facts` (`at`) VALUES (OLD.`taken_at`), (OLD.`returned_at`), (NEW.`taken_at`), (NEW.`returned_at`); END;--> statement-breakpoint
CREATE TRIGGER `disputes_uncounted` AFTER DELETE ON `disputes` BEGIN INSERT INTO `changed_facts` (`at`) VALUES (OLD.`taken_at`), (OLD.`returned_at`); END;--> statement-breakpoint
CREATE TRIGGER `licences_counted` AFTER INSERT ON `licences` BEGIN INSERT INTO `changed_facts` (`at`) VALUES (NEW.`active_from`), (NEW.`active_until`); END;--> statement-breakpoint
CREATE TRIGGER `licences_recounted` AFTER UPDATE OF `redeemed_at`, `expires_at`, `payment_standing`, `payment_fell_at`, `suspended_at`, `revoked_at`, `livemode`, `offer`, `type` ON `licences` WHEN (OLD.`active_from`, OLD.`active_until`, OLD.`livemode`, OLD.`offer`, OLD.`type`) IS NOT (NEW.`active_from`, NEW.`active_until`, NEW.`livemode`, NEW.`offer`, NEW.`type`) BEGIN INSERT INTO `changed_facts` (`at`) VALUES (OLD.`active_from`), (OLD.`active_until`), (NEW.`active_from`), (NEW.`active_until`); END;--> statement-breakpoint
CREATE TRIGGER `licences_uncounted` AFTER DELETE ON `licences` BEGIN INSERT INTO `changed_facts` (`at`) VALUES (OLD.`active_from`), (OLD.`active_until`); END;--> statement-breakpoint
CREATE TRIGGER `subscription_runs_counted` AFTER INSERT ON `subscription_runs` BEGIN INSERT INTO `changed_facts` (`at`) VALUES (NEW.`from`), (NEW.`until`); END;--> statement-breakpoint
CREATE TRIGGER `subscription_runs_recounted` AFTER UPDATE OF `livemode`, `currency`, `offer`, `level`, `yearly`, `from`, `until` ON `subscription_runs` WHEN (OLD.`livemode`, OLD.`currency`, OLD.`offer`, OLD.`level`, OLD.`yearly`, OLD.`from`, OLD.`until`) IS NOT (NEW.`livemode`, NEW.`currency`, NEW.`offer`, NEW.`level`, NEW.`yearly`, NEW.`from`, NEW.`until`) BEGIN INSERT INTO `changed_facts` (`at`) VALUES (OLD.`from`), (OLD.`until`), (NEW.`from`), (NEW.`until`); END;--> statement-breakpoint
CREATE TRIGGER `subscription_runs_uncounted` AFTER DELETE ON `subscription_runs` BEGIN INSERT INTO `changed_facts` (`at`) VALUES (OLD.`from`), (OLD.`until`); END;--> statement-breakpoint
CREATE TRIGGER `payments_currency` AFTER INSERT ON `payments` WHEN NOT EXISTS (SELECT 1 FROM `installation` WHERE `name` = 'orders_currency') BEGIN INSERT INTO `installation` (`name`, `value`) VALUES ('orders_currency', NEW.`currency`); END;--> statement-breakpoint
INSERT INTO `row_counts` (`table_name`, `count`) VALUES ('accounts', 0);--> statement-breakpoint
INSERT INTO `change_clock` (`last`) VALUES (0);
