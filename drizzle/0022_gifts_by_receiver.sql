DROP TABLE `announcements`;--> statement-breakpoint
DROP TABLE `blocks`;--> statement-breakpoint
DROP INDEX `licences_ending`;--> statement-breakpoint
ALTER TABLE `licences` DROP COLUMN `ending_told`;--> statement-breakpoint
CREATE INDEX `payments_gift` ON `payments` (lower("gift_email"),`created_at`) WHERE "payments"."gift_email" is not null;--> statement-breakpoint
ALTER TABLE `accounts` DROP COLUMN `unsubscribed_at`;