CREATE TABLE `row_counts` (
	`table_name` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `licences` ADD `key_tail` text;--> statement-breakpoint
CREATE INDEX `licences_created` ON `licences` (`created_at`);--> statement-breakpoint
CREATE INDEX `licences_key_tail` ON `licences` (`key_tail`);--> statement-breakpoint
CREATE INDEX `licences_without_tail` ON `licences` (`id`) WHERE "licences"."key_tail" is null;--> statement-breakpoint
CREATE INDEX `audit_action` ON `audit_log` (`action`,`at`);--> statement-breakpoint
CREATE INDEX `audit_at` ON `audit_log` (`at`);--> statement-breakpoint
CREATE INDEX `audit_by_hand` ON `audit_log` (`actor`,`at`) WHERE actor <> 'shop' AND account_id IS NOT actor;--> statement-breakpoint
CREATE INDEX `outbox_topic_created` ON `outbox` (`topic`,`created_at`);--> statement-breakpoint
CREATE INDEX `outbox_failing` ON `outbox` (`topic`,`attempts`) WHERE attempts > 0;--> statement-breakpoint
CREATE INDEX `outbox_stuck` ON `outbox` (`created_at`) WHERE attempts >= 8;--> statement-breakpoint
CREATE INDEX `email_undos_expires` ON `email_undos` (`expires_at`);--> statement-breakpoint
CREATE INDEX `mfa_setups_expires` ON `mfa_setups` (`expires_at`);--> statement-breakpoint
CREATE INDEX `link_attempts_account` ON `link_attempts` (`account_id`);--> statement-breakpoint
CREATE INDEX `payment_evidence_buyers` ON `payment_evidence` (`terms_accepted_at`,`payment_id`) WHERE "payment_evidence"."buyer_sealed" is not null;--> statement-breakpoint
CREATE INDEX `payments_paid` ON `payments` (`paid_at`);--> statement-breakpoint
CREATE INDEX `payments_undecided` ON `payments` (`livemode`,`id`) WHERE (state IN ('open', 'processing') OR dispute_status IN ('appeal_needs_response', 'appeal_under_review', 'needs_response', 'under_review', 'warning_needs_response', 'warning_under_review'));--> statement-breakpoint
CREATE INDEX `ticket_guests_member` ON `ticket_guests` (`discord_user_id`);--> statement-breakpoint
CREATE INDEX `tickets_card` ON `tickets` (`card_id`);--> statement-breakpoint
CREATE INDEX `tickets_opened` ON `tickets` (`opened_at`);--> statement-breakpoint
CREATE INDEX `tickets_waiting` ON `tickets` (waiting_for DESC,`waiting_since`,`number`) WHERE state = 'open';--> statement-breakpoint
INSERT INTO `row_counts` SELECT 'accounts', count(*) FROM `accounts`;--> statement-breakpoint
CREATE TRIGGER `accounts_added` AFTER INSERT ON `accounts` BEGIN UPDATE `row_counts` SET `count` = `count` + 1 WHERE `table_name` = 'accounts'; END;--> statement-breakpoint
CREATE TRIGGER `accounts_removed` AFTER DELETE ON `accounts` BEGIN UPDATE `row_counts` SET `count` = `count` - 1 WHERE `table_name` = 'accounts'; END;
