ALTER TABLE `subscriptions` ADD `reminded_of` integer;--> statement-breakpoint
CREATE INDEX `subscriptions_renewing` ON `subscriptions` (`renews_at`);