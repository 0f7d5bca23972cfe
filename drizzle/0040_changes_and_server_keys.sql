CREATE TABLE `change_clock` (
	`last` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `server_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`key_hash` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `server_keys_name_unique` ON `server_keys` (`name`);--> statement-breakpoint
CREATE UNIQUE INDEX `server_keys_key_hash_unique` ON `server_keys` (`key_hash`);--> statement-breakpoint
ALTER TABLE `accounts` ADD `changed` integer;--> statement-breakpoint
ALTER TABLE `accounts` ADD `updated` integer GENERATED ALWAYS AS (coalesce(changed, 1000 * created_at)) VIRTUAL;--> statement-breakpoint
CREATE INDEX `accounts_updated` ON `accounts` (`updated`,`id`);--> statement-breakpoint
ALTER TABLE `licences` ADD `changed` integer;--> statement-breakpoint
ALTER TABLE `licences` ADD `updated` integer GENERATED ALWAYS AS (coalesce(changed, 1000 * max(created_at, coalesce(redeemed_at, 0), coalesce(suspended_at, 0), coalesce(revoked_at, 0), coalesce(payment_fell_at, 0), CASE WHEN expires_at < 1795392000000 THEN expires_at ELSE 0 END))) VIRTUAL;--> statement-breakpoint
CREATE INDEX `licences_updated` ON `licences` ((livemode + 0),`updated`,`id`);--> statement-breakpoint
CREATE INDEX `licences_account_updated` ON `licences` (`account_id`,`updated`,`id`);--> statement-breakpoint
CREATE INDEX `licences_end_uncounted` ON `licences` (`expires_at`) WHERE (expires_at * 1000 > updated);--> statement-breakpoint
ALTER TABLE `payments` ADD `changed` integer;--> statement-breakpoint
ALTER TABLE `payments` ADD `updated` integer GENERATED ALWAYS AS (coalesce(changed, 1000 * max(created_at, coalesce(paid_at, 0), coalesce(sold_at, 0), coalesce(refunded_at, 0), coalesce(disputed_at, 0)))) VIRTUAL;--> statement-breakpoint
CREATE INDEX `payments_updated` ON `payments` (`livemode`,`updated`,`id`) WHERE (state <> 'open');--> statement-breakpoint
CREATE INDEX `payments_email_updated` ON `payments` (`email_key`,`updated`,`id`) WHERE (state <> 'open');--> statement-breakpoint
INSERT INTO `change_clock` SELECT max(coalesce((SELECT max(`updated`) FROM `accounts`), 0), coalesce((SELECT max(`updated`) FROM `licences`), 0), coalesce((SELECT max(`updated`) FROM `payments`), 0));--> statement-breakpoint
CREATE TRIGGER `accounts_new_change` AFTER INSERT ON `accounts` WHEN NEW.`changed` IS NULL BEGIN UPDATE `change_clock` SET `last` = max(`last` + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000); UPDATE `accounts` SET `changed` = (SELECT `last` FROM `change_clock`) WHERE rowid = NEW.rowid; END;--> statement-breakpoint
CREATE TRIGGER `accounts_change` AFTER UPDATE OF `username`, `email` ON `accounts` WHEN (OLD.`username` IS NOT NEW.`username` OR OLD.`email` IS NOT NEW.`email`) BEGIN UPDATE `change_clock` SET `last` = max(`last` + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000); UPDATE `accounts` SET `changed` = (SELECT `last` FROM `change_clock`) WHERE rowid = NEW.rowid; END;--> statement-breakpoint
CREATE TRIGGER `licences_new_change` AFTER INSERT ON `licences` WHEN NEW.`changed` IS NULL BEGIN UPDATE `change_clock` SET `last` = max(`last` + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000); UPDATE `licences` SET `changed` = (SELECT `last` FROM `change_clock`) WHERE rowid = NEW.rowid; END;--> statement-breakpoint
CREATE TRIGGER `licences_change` AFTER UPDATE OF `payment_standing`, `suspended_at`, `revoked_at`, `livemode`, `account_id`, `redeemed_at`, `expires_at`, `payment_id`, `further_payment_id` ON `licences` WHEN (OLD.`payment_standing` IS NOT NEW.`payment_standing` OR OLD.`suspended_at` IS NOT NEW.`suspended_at` OR OLD.`revoked_at` IS NOT NEW.`revoked_at` OR OLD.`livemode` IS NOT NEW.`livemode` OR OLD.`account_id` IS NOT NEW.`account_id` OR OLD.`redeemed_at` IS NOT NEW.`redeemed_at` OR OLD.`expires_at` IS NOT NEW.`expires_at` OR OLD.`payment_id` IS NOT NEW.`payment_id` OR OLD.`further_payment_id` IS NOT NEW.`further_payment_id`) BEGIN UPDATE `change_clock` SET `last` = max(`last` + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000); UPDATE `licences` SET `changed` = (SELECT `last` FROM `change_clock`) WHERE rowid = NEW.rowid; END;--> statement-breakpoint
CREATE TRIGGER `payments_new_change` AFTER INSERT ON `payments` WHEN NEW.`changed` IS NULL AND NEW.`state` <> 'open' BEGIN UPDATE `change_clock` SET `last` = max(`last` + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000); UPDATE `payments` SET `changed` = (SELECT `last` FROM `change_clock`) WHERE rowid = NEW.rowid; END;--> statement-breakpoint
CREATE TRIGGER `payments_change` AFTER UPDATE OF `state`, `intent_id`, `account_id`, `email`, `seal_version`, `offer`, `quantity`, `amount`, `currency`, `livemode`, `paid_amount`, `refunded_amount`, `sold_at` ON `payments` WHEN (OLD.`state` IS NOT NEW.`state` OR OLD.`intent_id` IS NOT NEW.`intent_id` OR OLD.`account_id` IS NOT NEW.`account_id` OR OLD.`email` IS NOT NEW.`email` OR OLD.`seal_version` IS NOT NEW.`seal_version` OR OLD.`offer` IS NOT NEW.`offer` OR OLD.`quantity` IS NOT NEW.`quantity` OR OLD.`amount` IS NOT NEW.`amount` OR OLD.`currency` IS NOT NEW.`currency` OR OLD.`livemode` IS NOT NEW.`livemode` OR OLD.`paid_amount` IS NOT NEW.`paid_amount` OR OLD.`refunded_amount` IS NOT NEW.`refunded_amount` OR OLD.`sold_at` IS NOT NEW.`sold_at`) AND NEW.`state` <> 'open' BEGIN UPDATE `change_clock` SET `last` = max(`last` + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000); UPDATE `payments` SET `changed` = (SELECT `last` FROM `change_clock`) WHERE rowid = NEW.rowid; END;--> statement-breakpoint
CREATE TRIGGER `accounts_email_change` AFTER UPDATE OF `email` ON `accounts` WHEN OLD.`email` IS NOT NEW.`email` BEGIN UPDATE `change_clock` SET `last` = max(`last` + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000); UPDATE `licences` SET `changed` = (SELECT `last` FROM `change_clock`) WHERE `account_id` = NEW.`id`; END;--> statement-breakpoint
CREATE TRIGGER `payments_named_change` AFTER UPDATE OF `intent_id` ON `payments` WHEN OLD.`intent_id` IS NOT NEW.`intent_id` BEGIN UPDATE `change_clock` SET `last` = max(`last` + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000); UPDATE `licences` SET `changed` = (SELECT `last` FROM `change_clock`) WHERE `sold_payment_id` = NEW.`id`; END;--> statement-breakpoint
CREATE TRIGGER `payments_email_change` AFTER UPDATE OF `email`, `gift_email` ON `payments` WHEN (OLD.`email` IS NOT NEW.`email` OR OLD.`gift_email` IS NOT NEW.`gift_email`) BEGIN UPDATE `change_clock` SET `last` = max(`last` + 1, CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000); UPDATE `licences` SET `changed` = (SELECT `last` FROM `change_clock`) WHERE `sold_payment_id` = NEW.`id` AND `redeemed_at` IS NULL; END;