CREATE TABLE `webhook_deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`event_id` text NOT NULL,
	`endpoint_id` text NOT NULL,
	`state` text DEFAULT 'waiting' NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	`tried_at` integer,
	`milliseconds` integer,
	`status` integer,
	`failure` text,
	`answer_sealed` text,
	FOREIGN KEY (`event_id`) REFERENCES `webhook_events`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`endpoint_id`) REFERENCES `webhook_endpoints`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`endpoint_id`,`due_at`,`id`) WHERE state = 'waiting';--> statement-breakpoint
CREATE INDEX `webhook_deliveries_endpoint` ON `webhook_deliveries` (`endpoint_id`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_event` ON `webhook_deliveries` (`event_id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_created` ON `webhook_deliveries` (`created_at`);--> statement-breakpoint
CREATE TABLE `webhook_endpoints` (
	`id` text PRIMARY KEY NOT NULL,
	`url` text NOT NULL,
	`types` text,
	`secret_sealed` text NOT NULL,
	`former_secret_sealed` text,
	`former_secret_until` integer,
	`created_at` integer NOT NULL,
	`failing_since` integer,
	`disabled_at` integer,
	`disabled_why` text,
	`removed_at` integer,
	`version` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE `webhook_events` (
	`id` text PRIMARY KEY NOT NULL,
	`sequence` integer NOT NULL,
	`type` text NOT NULL,
	`account_id` text,
	`order_id` text,
	`at` integer NOT NULL,
	`body_sealed` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhook_events_at` ON `webhook_events` (`at`);--> statement-breakpoint
CREATE INDEX `webhook_events_account` ON `webhook_events` (`account_id`) WHERE "webhook_events"."account_id" is not null;--> statement-breakpoint
CREATE INDEX `webhook_events_order` ON `webhook_events` (`order_id`) WHERE "webhook_events"."order_id" is not null;