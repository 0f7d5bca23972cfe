CREATE TABLE `payment_evidence` (
	`payment_id` text PRIMARY KEY NOT NULL,
	`terms_edition` text NOT NULL,
	`terms_accepted_at` integer NOT NULL,
	`buyer_sealed` text,
	`receipt_message_id` text,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE `payments` ADD `fraud_warned_at` integer;