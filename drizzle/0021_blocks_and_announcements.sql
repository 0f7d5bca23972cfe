CREATE TABLE `announcements` (
	`id` text PRIMARY KEY NOT NULL,
	`subject` text NOT NULL,
	`content` text NOT NULL,
	`licensed_only` integer NOT NULL,
	`offer` text,
	`created_at` integer NOT NULL,
	`customers` integer NOT NULL,
	`reached` text DEFAULT '' NOT NULL,
	`looked` integer DEFAULT 0 NOT NULL,
	`posted` integer DEFAULT 0 NOT NULL,
	`sent` integer DEFAULT 0 NOT NULL,
	`dropped` integer DEFAULT 0 NOT NULL,
	`posted_at` integer,
	`stopped_at` integer
);
--> statement-breakpoint
CREATE INDEX `announcements_unposted` ON `announcements` (`created_at`) WHERE posted_at IS NULL AND stopped_at IS NULL;--> statement-breakpoint
CREATE TABLE `blocks` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`key` text NOT NULL,
	`label` text NOT NULL,
	`reason` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `blocks_key_unique` ON `blocks` (`key`);--> statement-breakpoint
ALTER TABLE `accounts` ADD `unsubscribed_at` integer;--> statement-breakpoint
ALTER TABLE `licences` ADD `ending_told` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `licences_ending` ON `licences` (`ending_told`,`expires_at`) WHERE "licences"."expires_at" is not null;