-- Its rows are good for ten minutes, and those of before name no browser.
DROP TABLE `recoveries`;--> statement-breakpoint
CREATE TABLE `recoveries` (
	`id` text PRIMARY KEY NOT NULL,
	`browser_hash` text NOT NULL,
	`address_hash` text NOT NULL,
	`account_id` text,
	`code_sealed` text NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`expires_at` integer NOT NULL,
	`verified_until` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `recoveries_browser_hash_unique` ON `recoveries` (`browser_hash`);--> statement-breakpoint
CREATE INDEX `recoveries_account` ON `recoveries` (`account_id`);--> statement-breakpoint
CREATE INDEX `recoveries_expires` ON `recoveries` (`expires_at`);