CREATE TABLE `customer_notes` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`at` integer NOT NULL,
	`actor` text NOT NULL,
	`actor_kind` text NOT NULL,
	`actor_role` text,
	`actor_via` text,
	`text` text NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `customer_notes_account` ON `customer_notes` (`account_id`,`at`,`id`);--> statement-breakpoint
DROP INDEX `audit_account`;--> statement-breakpoint
DROP INDEX `audit_subject`;--> statement-breakpoint
DROP INDEX `audit_action`;--> statement-breakpoint
DROP INDEX `audit_at`;--> statement-breakpoint
DROP INDEX `audit_by_hand`;--> statement-breakpoint
CREATE INDEX `audit_by_hand_action` ON `audit_log` (`actor`,`action`,`at`,`id`) WHERE actor <> 'shop' AND account_id IS NOT actor;--> statement-breakpoint
CREATE INDEX `audit_shop` ON `audit_log` (`at`,`id`) WHERE actor = 'shop';--> statement-breakpoint
CREATE INDEX `audit_shop_action` ON `audit_log` (`action`,`at`,`id`) WHERE actor = 'shop';--> statement-breakpoint
CREATE INDEX `audit_account` ON `audit_log` (`account_id`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_subject` ON `audit_log` (`subject`,`action`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_action` ON `audit_log` (`action`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_at` ON `audit_log` (`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_by_hand` ON `audit_log` (`actor`,`at`,`id`) WHERE actor <> 'shop' AND account_id IS NOT actor;--> statement-breakpoint
DROP INDEX `licences_created`;--> statement-breakpoint
ALTER TABLE `licences` ADD `offer` text;--> statement-breakpoint
ALTER TABLE `licences` ADD `listed_status` text GENERATED ALWAYS AS (CASE
  WHEN revoked_at IS NOT NULL OR payment_standing = 'revoked' THEN 'revoked'
  WHEN payment_standing <> 'good' THEN payment_standing
  WHEN suspended_at IS NOT NULL THEN 'suspended'
  ELSE CASE WHEN redeemed_at IS NULL THEN 'unredeemed' WHEN expires_at * 1000 <= updated THEN 'expired' ELSE 'active' END
    || CASE livemode WHEN 0 THEN ' test' WHEN 1 THEN ' live' ELSE '' END
END) VIRTUAL;--> statement-breakpoint
UPDATE `licences` SET `offer` = (SELECT coalesce(`payments`.`offer`, '') FROM `payments` WHERE `payments`.`id` = coalesce(`payment_id`, `further_payment_id`)) WHERE coalesce(`payment_id`, `further_payment_id`) IS NOT NULL;--> statement-breakpoint
CREATE TRIGGER `licences_offered` AFTER INSERT ON `licences` WHEN NEW.`offer` IS NULL AND coalesce(NEW.`payment_id`, NEW.`further_payment_id`) IS NOT NULL BEGIN UPDATE `licences` SET `offer` = (SELECT coalesce(`payments`.`offer`, '') FROM `payments` WHERE `payments`.`id` = coalesce(NEW.`payment_id`, NEW.`further_payment_id`)) WHERE `id` = NEW.`id`; END;--> statement-breakpoint
CREATE INDEX `licences_status` ON `licences` (`listed_status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `licences_offer` ON `licences` (`offer`,`listed_status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `licences_account_status` ON `licences` (`account_id`,`listed_status`,`created_at`,`id`,`offer`) WHERE "licences"."account_id" is not null;--> statement-breakpoint
CREATE INDEX `licences_created` ON `licences` (`created_at`,`id`);--> statement-breakpoint
DROP INDEX `payments_state`;--> statement-breakpoint
DROP INDEX `payments_created`;--> statement-breakpoint
CREATE INDEX `payments_offer` ON `payments` (`offer`,`state`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `payments_account_state` ON `payments` (`account_id`,`state`,`created_at`,`id`,`offer`) WHERE "payments"."account_id" is not null;--> statement-breakpoint
CREATE INDEX `payments_evidence_due` ON `payments` (`livemode`,`dispute_answer_by`) WHERE "payments"."dispute_answer_by" is not null;--> statement-breakpoint
CREATE INDEX `payments_fraud_warned` ON `payments` (`fraud_warned_at`) WHERE "payments"."fraud_warned_at" is not null;--> statement-breakpoint
CREATE INDEX `payments_mismatched` ON `payments` (`created_at`) WHERE (mismatch IS NOT NULL AND sold_at IS NULL AND refunded_at IS NULL);--> statement-breakpoint
CREATE INDEX `payments_state` ON `payments` (`state`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `payments_created` ON `payments` (`created_at`,`id`);--> statement-breakpoint
DROP INDEX `tickets_opened`;--> statement-breakpoint
CREATE INDEX `tickets_state_opened` ON `tickets` (`state`,`opened_at`,`id`);--> statement-breakpoint
CREATE INDEX `tickets_waiting_opened` ON `tickets` (`waiting_for`,`opened_at`,`id`) WHERE state = 'open';--> statement-breakpoint
CREATE INDEX `tickets_opened` ON `tickets` (`opened_at`,`id`);--> statement-breakpoint
CREATE INDEX `accounts_created` ON `accounts` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `refunds_created` ON `refunds` (`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `refunds_state` ON `refunds` (`state`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `refunds_stripe` ON `refunds` (`stripe_id`) WHERE "refunds"."stripe_id" is not null;