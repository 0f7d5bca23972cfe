DROP INDEX `webhook_events_order`;--> statement-breakpoint
ALTER TABLE `webhook_events` DROP COLUMN `order_id`;--> statement-breakpoint
ALTER TABLE `webhook_events` ADD `email_key` text;--> statement-breakpoint
CREATE INDEX `webhook_events_email` ON `webhook_events` (`email_key`) WHERE "webhook_events"."email_key" is not null;--> statement-breakpoint
ALTER TABLE `webhook_events` ADD `must_empty` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `webhook_events_must_empty` ON `webhook_events` (`must_empty`) WHERE must_empty = 1;