ALTER TABLE `payments` ADD `refund_keeps` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `refunds` ADD `keeps` integer DEFAULT false NOT NULL;