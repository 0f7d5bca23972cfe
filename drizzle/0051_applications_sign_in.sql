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
-- the release before knows no tokens of computers: they end where it renews the account's token
CREATE TRIGGER `accounts_token_renewed` AFTER UPDATE OF `api_key_hash` ON `accounts` WHEN OLD.`api_key_hash` IS NOT NULL AND OLD.`api_key_hash` IS NOT NEW.`api_key_hash` BEGIN DELETE FROM `device_tokens` WHERE `device_id` IN (SELECT `id` FROM `devices` WHERE `account_id` = NEW.`id`); DELETE FROM `device_requests` WHERE `account_id` = NEW.`id`; END;--> statement-breakpoint
-- and where it gives the computer's row to another one
CREATE TRIGGER `devices_token_moved` AFTER UPDATE OF `hwid_hash` ON `devices` WHEN OLD.`hwid_hash` IS NOT NEW.`hwid_hash` AND OLD.`computer_hash` IS NEW.`computer_hash` BEGIN DELETE FROM `device_tokens` WHERE `device_id` = NEW.`id`; END;
