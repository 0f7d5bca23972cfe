CREATE TABLE `desk_sessions` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`session_id` text NOT NULL,
	`staff_id` text NOT NULL,
	`credentials` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`confirmed_at` integer NOT NULL,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`staff_id`) REFERENCES `staff`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `desk_sessions_session` ON `desk_sessions` (`session_id`);--> statement-breakpoint
CREATE INDEX `desk_sessions_staff` ON `desk_sessions` (`staff_id`);--> statement-breakpoint
CREATE INDEX `desk_sessions_created` ON `desk_sessions` (`created_at`);--> statement-breakpoint
CREATE TABLE `staff` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`role` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `staff_account_id_unique` ON `staff` (`account_id`);--> statement-breakpoint
CREATE INDEX `staff_role` ON `staff` (`role`);--> statement-breakpoint
CREATE TABLE `staff_invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`role` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `staff_invitations_email_key_unique` ON `staff_invitations` (`email_key`);--> statement-breakpoint
CREATE INDEX `staff_invitations_expires` ON `staff_invitations` (`expires_at`);