CREATE TABLE `discord_buckets` (
	`bucket` text PRIMARY KEY NOT NULL,
	`limit` integer NOT NULL,
	`length` integer NOT NULL,
	`left` integer NOT NULL,
	`seen_at` integer NOT NULL,
	`until` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `discord_buckets_until` ON `discord_buckets` (`until`);