DROP INDEX `tickets_state`;--> statement-breakpoint
DROP INDEX `tickets_opened`;--> statement-breakpoint
CREATE INDEX `tickets_commented` ON `tickets` (`opened_at`,`id`) WHERE rating_comment IS NOT NULL AND stars IS NOT NULL;--> statement-breakpoint
CREATE INDEX `tickets_state` ON `tickets` (`state`,`closed_at`,`id`,`topic`,`opened_at`);--> statement-breakpoint
CREATE INDEX `tickets_opened` ON `tickets` (`opened_at`,`id`,`topic`,`first_answer_at`,`stars`);--> statement-breakpoint
CREATE INDEX `ticket_messages_staff` ON `ticket_messages` (`ticket_id`,`at`,`author_id`) WHERE author = 'staff';