CREATE TABLE `device_places` (
	`account_id` text NOT NULL,
	`number` integer NOT NULL,
	`freed_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `number`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE `devices` RENAME TO `devices_before`;--> statement-breakpoint
CREATE TABLE `devices` (
	`id` text PRIMARY KEY DEFAULT (lower(hex(randomblob(16)))) NOT NULL,
	`account_id` text NOT NULL,
	`place` integer DEFAULT 1 NOT NULL,
	`computer_hash` text,
	`hwid_hash` text NOT NULL,
	`label` text NOT NULL,
	`renamed` integer DEFAULT false NOT NULL,
	`os` text NOT NULL,
	`version` text,
	`first_seen_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`deactivated_at` integer,
	`offline_until` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `devices` (`account_id`, `hwid_hash`, `label`, `os`, `version`, `first_seen_at`, `last_seen_at`, `deactivated_at`) SELECT `account_id`, `hwid_hash`, `label`, `os`, `version`, `first_seen_at`, `last_seen_at`, `deactivated_at` FROM `devices_before`;--> statement-breakpoint
DROP TABLE `devices_before`;--> statement-breakpoint
CREATE UNIQUE INDEX `devices_place` ON `devices` (`account_id`,`place`);--> statement-breakpoint
CREATE UNIQUE INDEX `devices_computer` ON `devices` (`account_id`,`computer_hash`);--> statement-breakpoint
CREATE INDEX `devices_hwid` ON `devices` (`account_id`,`hwid_hash`);--> statement-breakpoint
ALTER TABLE `licences` ADD `devices` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE INDEX `licences_places` ON `licences` (`account_id`,`devices`,`expires_at`);--> statement-breakpoint
ALTER TABLE `offers` ADD `devices` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `payments` ADD `devices` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `blocks` ADD `computer_key` text;--> statement-breakpoint
CREATE UNIQUE INDEX `blocks_computer_key_unique` ON `blocks` (`computer_key`);--> statement-breakpoint
ALTER TABLE `licence_jobs` ADD `devices` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
DROP TRIGGER `licences_change`;--> statement-breakpoint
CREATE TRIGGER `licences_change` AFTER UPDATE OF `payment_standing`, `suspended_at`, `revoked_at`, `livemode`, `account_id`, `redeemed_at`, `expires_at`, `payment_id`, `further_payment_id`, `devices` ON `licences` WHEN (OLD.`payment_standing` IS NOT NEW.`payment_standing` OR OLD.`suspended_at` IS NOT NEW.`suspended_at` OR OLD.`revoked_at` IS NOT NEW.`revoked_at` OR OLD.`livemode` IS NOT NEW.`livemode` OR OLD.`account_id` IS NOT NEW.`account_id` OR OLD.`redeemed_at` IS NOT NEW.`redeemed_at` OR OLD.`expires_at` IS NOT NEW.`expires_at` OR OLD.`payment_id` IS NOT NEW.`payment_id` OR OLD.`further_payment_id` IS NOT NEW.`further_payment_id` OR OLD.`devices` IS NOT NEW.`devices`) BEGIN UPDATE `change_clock` SET `last` = max(`last` + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000); UPDATE `licences` SET `changed` = (SELECT `last` FROM `change_clock`) WHERE rowid = NEW.rowid; END;--> statement-breakpoint
INSERT INTO `device_places` (`account_id`, `number`, `freed_at`) SELECT `id`, 1, `device_reset_at` FROM `accounts` WHERE `device_reset_at` IS NOT NULL;--> statement-breakpoint
-- the release before frees the one place that it knows
CREATE TRIGGER `accounts_place_freed` AFTER UPDATE OF `device_reset_at` ON `accounts` WHEN OLD.`device_reset_at` IS NOT NEW.`device_reset_at` AND NEW.`device_reset_at` IS NOT NULL AND NOT EXISTS (SELECT 1 FROM `device_places` WHERE `account_id` = NEW.`id` AND `freed_at` = NEW.`device_reset_at`) BEGIN INSERT INTO `device_places` (`account_id`, `number`, `freed_at`) VALUES (NEW.`id`, 1, NEW.`device_reset_at`) ON CONFLICT DO UPDATE SET `freed_at` = excluded.`freed_at`; END;--> statement-breakpoint
-- and gives its row to another computer; a computer whose hashes are the same was never online, and only this release changes those
CREATE TRIGGER `devices_moved` AFTER UPDATE OF `hwid_hash` ON `devices` WHEN OLD.`hwid_hash` IS NOT NEW.`hwid_hash` AND OLD.`computer_hash` IS NEW.`computer_hash` AND OLD.`hwid_hash` IS NOT OLD.`computer_hash` BEGIN UPDATE `devices` SET `computer_hash` = NULL WHERE `id` = NEW.`id`; END;
