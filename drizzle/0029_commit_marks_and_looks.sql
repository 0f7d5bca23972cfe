CREATE TABLE `commit_marks` (
	`id` text PRIMARY KEY NOT NULL,
	`stored` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `payments` ADD `looks` integer DEFAULT 0 NOT NULL;