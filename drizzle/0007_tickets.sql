CREATE TABLE `ticket_files` (
	`id` text PRIMARY KEY NOT NULL,
	`message_id` text NOT NULL,
	`ticket_id` text NOT NULL,
	`name` text NOT NULL,
	`size` integer NOT NULL,
	`url` text NOT NULL,
	`state` text DEFAULT 'waiting' NOT NULL,
	`type` text,
	`bytes` blob,
	FOREIGN KEY (`message_id`) REFERENCES `ticket_messages`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `ticket_files_message` ON `ticket_files` (`message_id`);--> statement-breakpoint
CREATE INDEX `ticket_files_ticket` ON `ticket_files` (`ticket_id`);--> statement-breakpoint
CREATE TABLE `ticket_guests` (
	`ticket_id` text NOT NULL,
	`discord_user_id` text NOT NULL,
	PRIMARY KEY(`ticket_id`, `discord_user_id`),
	FOREIGN KEY (`ticket_id`) REFERENCES `tickets`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `ticket_messages` (
	`id` text PRIMARY KEY NOT NULL,
	`ticket_id` text NOT NULL,
	`author` text NOT NULL,
	`author_id` text NOT NULL,
	`author_name` text NOT NULL,
	`content` text NOT NULL,
	`at` integer NOT NULL,
	`edited_at` integer,
	`deleted_at` integer,
	`before` text DEFAULT '[]' NOT NULL,
	FOREIGN KEY (`ticket_id`) REFERENCES `tickets`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `ticket_messages_order` ON `ticket_messages` (`ticket_id`,`at`);--> statement-breakpoint
CREATE TABLE `tickets` (
	`id` text PRIMARY KEY NOT NULL,
	`number` integer NOT NULL,
	`topic` text NOT NULL,
	`discord_user_id` text NOT NULL,
	`member_name` text NOT NULL,
	`account_id` text,
	`question` text NOT NULL,
	`state` text DEFAULT 'open' NOT NULL,
	`opened_at` integer NOT NULL,
	`round` integer DEFAULT 1 NOT NULL,
	`thread_asked_at` integer,
	`thread_id` text,
	`threads_lost` integer DEFAULT 0 NOT NULL,
	`greeting_id` text,
	`farewell_id` text,
	`card_id` text,
	`claimed_by` text,
	`escalated_at` integer,
	`first_answer_at` integer,
	`waiting_for` text DEFAULT 'staff' NOT NULL,
	`waiting_since` integer NOT NULL,
	`reminded_at` integer,
	`closed_at` integer,
	`closed_by` text,
	`close_reason` text,
	`stars` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tickets_number_unique` ON `tickets` (`number`);--> statement-breakpoint
CREATE UNIQUE INDEX `tickets_thread_id_unique` ON `tickets` (`thread_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `tickets_one_open` ON `tickets` (`discord_user_id`,`topic`) WHERE state = 'open';--> statement-breakpoint
CREATE INDEX `tickets_member` ON `tickets` (`discord_user_id`);--> statement-breakpoint
CREATE INDEX `tickets_account` ON `tickets` (`account_id`);--> statement-breakpoint
CREATE INDEX `tickets_state` ON `tickets` (`state`,`closed_at`);