DROP INDEX `outbox_due`;--> statement-breakpoint
CREATE INDEX `outbox_topic_due` ON `outbox` (`topic`,`due_at`);