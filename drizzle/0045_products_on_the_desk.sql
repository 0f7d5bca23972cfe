CREATE TABLE `processes` (
	`id` text PRIMARY KEY NOT NULL,
	`version` text NOT NULL,
	`started_at` integer NOT NULL,
	`seen_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `processes_seen` ON `processes` (`seen_at`);--> statement-breakpoint
CREATE TABLE `release_upload_files` (
	`upload_id` text NOT NULL,
	`file` integer NOT NULL,
	`name` text NOT NULL,
	`platform` text NOT NULL,
	`size` integer NOT NULL,
	`sha256` text NOT NULL,
	`signature` text,
	PRIMARY KEY(`upload_id`, `file`),
	FOREIGN KEY (`upload_id`) REFERENCES `release_uploads`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `release_upload_parts` (
	`upload_id` text NOT NULL,
	`file` integer NOT NULL,
	`part` integer NOT NULL,
	`address` text NOT NULL,
	`kept` integer DEFAULT false NOT NULL,
	PRIMARY KEY(`upload_id`, `file`, `part`),
	FOREIGN KEY (`upload_id`) REFERENCES `release_uploads`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `release_upload_parts_address` ON `release_upload_parts` (`address`);--> statement-breakpoint
CREATE TABLE `release_uploads` (
	`id` text PRIMARY KEY NOT NULL,
	`state` text DEFAULT 'sending' NOT NULL,
	`terms` text NOT NULL,
	`account_id` text NOT NULL,
	`reason` text NOT NULL,
	`stored_bytes` integer DEFAULT 0 NOT NULL,
	`refusal` text,
	`created_at` integer NOT NULL,
	`touched_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `release_uploads_touched` ON `release_uploads` (`touched_at`);--> statement-breakpoint
CREATE INDEX `release_uploads_open` ON `release_uploads` (`created_at`,`id`) WHERE state IN ('sending', 'publishing', 'refused');--> statement-breakpoint
CREATE INDEX `announcements_created` ON `announcements` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `blocks_kind` ON `blocks` (`kind`,`id`);--> statement-breakpoint
CREATE INDEX `releases_published` ON `releases` (`published_at`,`id`);--> statement-breakpoint
CREATE INDEX `releases_of_channel` ON `releases` (`channel`,`published_at`,`id`);