ALTER TABLE `payments` ADD `dispute_reason` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `dispute_amount` integer;--> statement-breakpoint
ALTER TABLE `payments` ADD `dispute_currency` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `dispute_answer_by` integer;