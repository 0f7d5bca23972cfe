CREATE TABLE `builds` (
	`release_id` text NOT NULL,
	`platform` text NOT NULL,
	`file_name` text NOT NULL,
	`size` integer NOT NULL,
	`sha256` text NOT NULL,
	`sha512` text NOT NULL,
	`signature` text NOT NULL,
	PRIMARY KEY(`release_id`, `platform`),
	FOREIGN KEY (`release_id`) REFERENCES `releases`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `news` (
	`id` text PRIMARY KEY NOT NULL,
	`date` integer NOT NULL,
	`title` text NOT NULL,
	`content` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `releases` (
	`id` text PRIMARY KEY NOT NULL,
	`version` text NOT NULL,
	`channel` text NOT NULL,
	`title` text NOT NULL,
	`content` text NOT NULL,
	`rollout` integer DEFAULT 100 NOT NULL,
	`minimum_version` text,
	`published_at` integer NOT NULL,
	`yanked_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `releases_version_unique` ON `releases` (`version`);--> statement-breakpoint
CREATE INDEX `releases_channel` ON `releases` (`channel`,`yanked_at`);--> statement-breakpoint
ALTER TABLE `devices` ADD `deactivated_at` integer;