ALTER TABLE `refunds` ADD `attempt` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `refunds` ADD `made_at` integer;--> statement-breakpoint
CREATE INDEX `refunds_payment` ON `refunds` (`payment_id`);