CREATE INDEX `subscriptions_started` ON `subscriptions` (`started_at`,`id`);--> statement-breakpoint
CREATE INDEX `subscriptions_status` ON `subscriptions` (`status`,`started_at`,`id`);--> statement-breakpoint
CREATE INDEX `subscriptions_offer` ON `subscriptions` (`offer`,`status`,`started_at`,`id`);--> statement-breakpoint
CREATE INDEX `subscriptions_account_status` ON `subscriptions` (`account_id`,`status`,`started_at`,`id`,`offer`);