CREATE TABLE `ticket_posts` (
	`id` text PRIMARY KEY NOT NULL,
	`message_id` text NOT NULL,
	`part` integer NOT NULL,
	FOREIGN KEY (`message_id`) REFERENCES `ticket_messages`(`id`) ON UPDATE no action ON DELETE cascade
);--> statement-breakpoint
DROP INDEX `tickets_one_open`;--> statement-breakpoint
ALTER TABLE `tickets` ALTER COLUMN "discord_user_id" TO "discord_user_id" text;--> statement-breakpoint
ALTER TABLE `tickets` ADD `via` text DEFAULT 'discord' NOT NULL;--> statement-breakpoint
ALTER TABLE `tickets` ADD `in_thread` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `tickets` ADD `former_member_id` text;--> statement-breakpoint
ALTER TABLE `tickets` ADD `rating_comment` text;--> statement-breakpoint
ALTER TABLE `tickets` ADD `answered_at` integer;--> statement-breakpoint
ALTER TABLE `tickets` ADD `looked_at` integer;--> statement-breakpoint
ALTER TABLE `tickets` ADD `mail_due_at` integer;--> statement-breakpoint
ALTER TABLE `tickets` ADD `mailed_at` integer;--> statement-breakpoint
ALTER TABLE `ticket_messages` ADD `via` text DEFAULT 'discord' NOT NULL;--> statement-breakpoint
ALTER TABLE `ticket_messages` ADD `posting_at` integer;--> statement-breakpoint
ALTER TABLE `ticket_messages` ADD `posted_at` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `ticket_posts_part` ON `ticket_posts` (`message_id`,`part`);--> statement-breakpoint
CREATE INDEX `ticket_messages_unposted` ON `ticket_messages` (`ticket_id`,`at`,`id`) WHERE via = 'site' AND posted_at IS NULL;--> statement-breakpoint
CREATE INDEX `tickets_open_member` ON `tickets` (`discord_user_id`) WHERE state = 'open';--> statement-breakpoint
CREATE INDEX `tickets_open_account` ON `tickets` (`account_id`) WHERE state = 'open';--> statement-breakpoint
CREATE INDEX `tickets_mail_due` ON `tickets` (`mail_due_at`) WHERE mail_due_at IS NOT NULL;
