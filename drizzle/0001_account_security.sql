CREATE TABLE `email_undos` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `email_undos_account` ON `email_undos` (`account_id`);--> statement-breakpoint
CREATE INDEX `email_undos_email` ON `email_undos` (`email_key`);--> statement-breakpoint
CREATE TABLE `mfa_recovery_codes` (
	`account_id` text NOT NULL,
	`code_hash` text NOT NULL,
	`used_at` integer,
	PRIMARY KEY(`account_id`, `code_hash`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `mfa_setups` (
	`account_id` text PRIMARY KEY NOT NULL,
	`secret_sealed` text NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `recoveries` (
	`address_hash` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`account_id` text,
	`code_sealed` text NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`expires_at` integer NOT NULL,
	`browser_hash` text,
	`verified_until` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `recoveries_account` ON `recoveries` (`account_id`);--> statement-breakpoint
CREATE INDEX `recoveries_expires` ON `recoveries` (`expires_at`);