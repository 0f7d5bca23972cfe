DROP INDEX `sessions_account`;--> statement-breakpoint
CREATE INDEX `sessions_account` ON `sessions` (`account_id`,`last_seen_at`,`id`);--> statement-breakpoint
DROP INDEX `licences_account`;--> statement-breakpoint
DROP INDEX `licences_sold`;--> statement-breakpoint
ALTER TABLE `licences` ADD `ordered_at` integer;--> statement-breakpoint
UPDATE `licences` SET `ordered_at` = (SELECT `created_at` FROM `payments` WHERE `id` = coalesce(`payment_id`, `further_payment_id`)) WHERE coalesce(`payment_id`, `further_payment_id`) IS NOT NULL;--> statement-breakpoint
CREATE TRIGGER `licences_ordered` AFTER INSERT ON `licences` WHEN NEW.`ordered_at` IS NULL AND coalesce(NEW.`payment_id`, NEW.`further_payment_id`) IS NOT NULL BEGIN UPDATE `licences` SET `ordered_at` = (SELECT `created_at` FROM `payments` WHERE `id` = coalesce(NEW.`payment_id`, NEW.`further_payment_id`)) WHERE `id` = NEW.`id`; END;--> statement-breakpoint
CREATE INDEX `licences_lasting` ON `licences` (`account_id`,`expires_at`);--> statement-breakpoint
CREATE INDEX `licences_orders` ON `licences` (`account_id`,`ordered_at`,`sold_payment_id`) WHERE "licences"."ordered_at" is not null;--> statement-breakpoint
CREATE INDEX `licences_account` ON `licences` (`account_id`,`redeemed_at`,`id`);--> statement-breakpoint
CREATE INDEX `licences_sold` ON `licences` (`sold_payment_id`,`payment_index`);--> statement-breakpoint
DROP INDEX `payments_account`;--> statement-breakpoint
CREATE INDEX `payments_bought` ON `payments` (`account_id`,`created_at`,`id`) WHERE "payments"."sold_at" is not null;--> statement-breakpoint
CREATE INDEX `payments_account` ON `payments` (`account_id`,`created_at`,`id`);--> statement-breakpoint
DROP INDEX `ticket_messages_order`;--> statement-breakpoint
CREATE INDEX `ticket_messages_order` ON `ticket_messages` (`ticket_id`,`at`,`id`);--> statement-breakpoint
DROP INDEX `tickets_member`;--> statement-breakpoint
DROP INDEX `tickets_account`;--> statement-breakpoint
ALTER TABLE `tickets` ADD `text_bytes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `tickets` ADD `full_at` integer;--> statement-breakpoint
ALTER TABLE `tickets` ADD `seen_message_id` text;--> statement-breakpoint
UPDATE `tickets` SET `text_bytes` = coalesce((SELECT sum(length(CAST(`content` AS BLOB)) + length(CAST(`before` AS BLOB))) FROM `ticket_messages` WHERE `ticket_id` = `tickets`.`id`), 0);--> statement-breakpoint
CREATE INDEX `tickets_unowned` ON `tickets` (`discord_user_id`,`account_id`,`opened_at`,`id`);--> statement-breakpoint
CREATE INDEX `tickets_member` ON `tickets` (`discord_user_id`,`opened_at`,`id`);--> statement-breakpoint
CREATE INDEX `tickets_account` ON `tickets` (`account_id`,`opened_at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_account_action` ON `audit_log` (`account_id`,`action`,`at`,`id`);