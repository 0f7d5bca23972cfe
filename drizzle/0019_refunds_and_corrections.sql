CREATE TABLE `email_confirmations` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`email` text NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `email_confirmations_account_id_unique` ON `email_confirmations` (`account_id`);--> statement-breakpoint
CREATE INDEX `email_confirmations_expires` ON `email_confirmations` (`expires_at`);--> statement-breakpoint
CREATE TABLE `refunds` (
	`id` text PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL,
	`amount` integer NOT NULL,
	`state` text NOT NULL,
	`request` text NOT NULL,
	`reason` text NOT NULL,
	`asked_by` text NOT NULL,
	`decided_by` text,
	`ticket_id` text,
	`capped_on` text,
	`stripe_id` text,
	`refusal` text,
	`created_at` integer NOT NULL,
	`decided_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_request` ON `refunds` (`request`) WHERE "refunds"."state" IN ('proposed', 'approved', 'made');--> statement-breakpoint
CREATE INDEX `refunds_capped_on` ON `refunds` (`capped_on`);--> statement-breakpoint
CREATE INDEX `refunds_ticket` ON `refunds` (`ticket_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `refunds_proposed` ON `refunds` (`ticket_id`) WHERE "refunds"."state" = 'proposed';--> statement-breakpoint
CREATE INDEX `payments_email` ON `payments` (lower("email"),`created_at`);