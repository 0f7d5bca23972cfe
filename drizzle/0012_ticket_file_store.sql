ALTER TABLE `ticket_files` ADD `address` text;--> statement-breakpoint
CREATE INDEX `ticket_files_state` ON `ticket_files` (`state`,`size`);--> statement-breakpoint
CREATE INDEX `ticket_files_address` ON `ticket_files` (`address`);--> statement-breakpoint
CREATE INDEX `ticket_files_unmoved` ON `ticket_files` (`id`) WHERE bytes IS NOT NULL;--> statement-breakpoint
CREATE INDEX `ticket_messages_author` ON `ticket_messages` (`author_id`,`at`);