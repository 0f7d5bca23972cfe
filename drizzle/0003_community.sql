CREATE TABLE `leases` (
	`name` text PRIMARY KEY NOT NULL,
	`holder` text NOT NULL,
	`until` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `link_attempts` (
	`state_hash` text PRIMARY KEY NOT NULL,
	`session_id` text NOT NULL,
	`account_id` text NOT NULL,
	`expires_at` integer NOT NULL,
	`code_hash` text,
	`tokens_sealed` text,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `link_attempts_expiry` ON `link_attempts` (`expires_at`);--> statement-breakpoint
ALTER TABLE `links` ADD `display_name` text;--> statement-breakpoint
ALTER TABLE `links` ADD `tokens_sealed` text;--> statement-breakpoint
ALTER TABLE `links` ADD `join_wanted` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `links` ADD `join_obstacle` text;--> statement-breakpoint
ALTER TABLE `links` ADD `member` integer;--> statement-breakpoint
ALTER TABLE `links` ADD `holds_role` integer;--> statement-breakpoint
ALTER TABLE `links` ADD `checked_at` integer;--> statement-breakpoint
CREATE INDEX `licences_expiry` ON `licences` (`expires_at`);