CREATE TABLE `audit_log` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`actor` text NOT NULL,
	`action` text NOT NULL,
	`subject` text NOT NULL,
	`account_id` text,
	`reason` text,
	`detail` text
);
--> statement-breakpoint
CREATE INDEX `audit_account` ON `audit_log` (`account_id`,`at`);--> statement-breakpoint
CREATE INDEX `audit_subject` ON `audit_log` (`subject`);--> statement-breakpoint
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
	`last_error` text
);
--> statement-breakpoint
CREATE INDEX `outbox_due` ON `outbox` (`due_at`);--> statement-breakpoint
CREATE TABLE `accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`username` text NOT NULL,
	`username_key` text NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`password_hash` text NOT NULL,
	`api_key_hash` text,
	`api_key_sealed` text,
	`timezone` text NOT NULL,
	`created_at` integer NOT NULL,
	`redemptions` integer DEFAULT 0 NOT NULL,
	`mfa_secret_sealed` text,
	`mfa_enabled_at` integer,
	`mfa_last_step` integer,
	`device_reset_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_username_key_unique` ON `accounts` (`username_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_email_key_unique` ON `accounts` (`email_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_api_key_hash_unique` ON `accounts` (`api_key_hash`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`account_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`user_agent` text NOT NULL,
	`address` text NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_id_unique` ON `sessions` (`id`);--> statement-breakpoint
CREATE INDEX `sessions_account` ON `sessions` (`account_id`);--> statement-breakpoint
CREATE TABLE `links` (
	`account_id` text PRIMARY KEY NOT NULL,
	`discord_user_id` text NOT NULL,
	`linked_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `links_discord_user_id_unique` ON `links` (`discord_user_id`);--> statement-breakpoint
CREATE TABLE `devices` (
	`account_id` text PRIMARY KEY NOT NULL,
	`hwid_hash` text NOT NULL,
	`label` text NOT NULL,
	`os` text NOT NULL,
	`version` text NOT NULL,
	`first_seen_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `licences` (
	`id` text PRIMARY KEY NOT NULL,
	`key_hash` text NOT NULL,
	`key_sealed` text NOT NULL,
	`type` text NOT NULL,
	`days` integer,
	`payment_id` text,
	`payment_standing` text DEFAULT 'good' NOT NULL,
	`suspended_at` integer,
	`revoked_at` integer,
	`account_id` text,
	`redeemed_at` integer,
	`expires_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `licences_key_hash_unique` ON `licences` (`key_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `licences_payment_id_unique` ON `licences` (`payment_id`);--> statement-breakpoint
CREATE INDEX `licences_account` ON `licences` (`account_id`);--> statement-breakpoint
CREATE TABLE `payments` (
	`id` text PRIMARY KEY NOT NULL,
	`session_id` text NOT NULL,
	`intent_id` text,
	`state` text NOT NULL,
	`failure_reason` text,
	`method` text,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`livemode` integer NOT NULL,
	`refunded_amount` integer DEFAULT 0 NOT NULL,
	`dispute_status` text,
	`email` text,
	`account_id` text,
	`browser_hash` text,
	`created_at` integer NOT NULL,
	`paid_at` integer,
	`receipt_sent_at` integer,
	`mismatch` text,
	`version` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payments_session_id_unique` ON `payments` (`session_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `payments_intent_id_unique` ON `payments` (`intent_id`);--> statement-breakpoint
CREATE INDEX `payments_account` ON `payments` (`account_id`);--> statement-breakpoint
CREATE INDEX `payments_state` ON `payments` (`state`,`created_at`);--> statement-breakpoint
CREATE INDEX `payments_created` ON `payments` (`created_at`);