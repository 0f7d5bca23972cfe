CREATE TABLE `licence_job_items` (
	`job_id` text NOT NULL,
	`position` integer NOT NULL,
	`licence_id` text NOT NULL,
	`done_at` integer,
	`refusal` text,
	PRIMARY KEY(`job_id`, `position`)
);
--> statement-breakpoint
CREATE INDEX `licence_job_items_waiting` ON `licence_job_items` (`job_id`,`position`) WHERE "licence_job_items"."done_at" is null;--> statement-breakpoint
CREATE INDEX `licence_job_items_refused` ON `licence_job_items` (`job_id`,`position`) WHERE "licence_job_items"."refusal" is not null;--> statement-breakpoint
CREATE TABLE `licence_jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`action` text NOT NULL,
	`days` integer,
	`offer` text,
	`email` text,
	`reason` text NOT NULL,
	`made_by` text NOT NULL,
	`actor` text NOT NULL,
	`created_at` integer NOT NULL,
	`ready_at` integer,
	`total` integer DEFAULT 0 NOT NULL,
	`done` integer DEFAULT 0 NOT NULL,
	`refused` integer DEFAULT 0 NOT NULL,
	`cancelled_at` integer,
	`finished_at` integer
);
--> statement-breakpoint
CREATE INDEX `licence_jobs_created` ON `licence_jobs` (`created_at`);--> statement-breakpoint
CREATE INDEX `licence_jobs_made_by` ON `licence_jobs` (`made_by`);