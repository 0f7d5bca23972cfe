CREATE TABLE `owner_mail` (
	`account_id` text PRIMARY KEY NOT NULL,
	`off` text DEFAULT '[]' NOT NULL,
	`read_to` integer DEFAULT 0 NOT NULL,
	`mailed_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `owner_news` (
	`sequence` integer PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`payload` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `owner_news_created` ON `owner_news` (`created_at`);--> statement-breakpoint
CREATE TABLE `saved_replies` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`text` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `saved_replies_name_unique` ON `saved_replies` (`name`);