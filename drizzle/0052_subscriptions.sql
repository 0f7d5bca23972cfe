CREATE TABLE `subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`stripe_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`status` text NOT NULL,
	`offer` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`every` text NOT NULL,
	`next_amount` integer,
	`renews_at` integer,
	`ends_at` integer,
	`ended_at` integer,
	`changes_to` text,
	`changes_at` integer,
	`card_brand` text,
	`card_last4` text,
	`livemode` integer NOT NULL,
	`account_id` text,
	`started_at` integer NOT NULL,
	`looked_at` integer NOT NULL,
	`version` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `subscriptions_stripe_id_unique` ON `subscriptions` (`stripe_id`);--> statement-breakpoint
CREATE INDEX `subscriptions_account` ON `subscriptions` (`account_id`,`ended_at`,`started_at`);--> statement-breakpoint
CREATE INDEX `subscriptions_unended` ON `subscriptions` (`livemode`,`looked_at`) WHERE "subscriptions"."ended_at" is null;--> statement-breakpoint
ALTER TABLE `licences` ADD `paid_until` integer;--> statement-breakpoint
ALTER TABLE `offers` ADD `every` text;--> statement-breakpoint
ALTER TABLE `offers` ADD `trial_days` integer;--> statement-breakpoint
ALTER TABLE `payments` ADD `every` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `trial_days` integer;--> statement-breakpoint
ALTER TABLE `payments` ADD `credit_amount` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `payments` ADD `subscription` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `period_ends_at` integer;--> statement-breakpoint
CREATE INDEX `payments_subscription` ON `payments` (`subscription`,`period_ends_at`) WHERE "payments"."subscription" is not null;