CREATE TABLE `offers` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`days` integer,
	`created_at` integer NOT NULL,
	`retired_at` integer,
	`version` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE `licences` ADD `further_payment_id` text;--> statement-breakpoint
ALTER TABLE `licences` ADD `payment_index` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `licences` ADD `sold_payment_id` text GENERATED ALWAYS AS (coalesce(payment_id, further_payment_id)) VIRTUAL;--> statement-breakpoint
CREATE INDEX `licences_sold` ON `licences` (`sold_payment_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `licences_further` ON `licences` (`further_payment_id`,`payment_index`);--> statement-breakpoint
ALTER TABLE `payments` ADD `seal_version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `payments` ADD `seal` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `offer` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `product` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `days` integer;--> statement-breakpoint
ALTER TABLE `payments` ADD `quantity` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `payments` ADD `off_amount` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `payments` ADD `tax_amount` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `payments` ADD `tax_included` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `payments` ADD `invoice_url` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `gift_email` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `gift_from` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `gift_message` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `gift_sent_at` integer;