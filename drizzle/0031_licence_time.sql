CREATE TABLE `licence_extensions` (
	`id` text PRIMARY KEY NOT NULL,
	`licence_id` text NOT NULL,
	`days` integer NOT NULL,
	`added_at` integer NOT NULL,
	FOREIGN KEY (`licence_id`) REFERENCES `licences`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `licence_extensions_licence` ON `licence_extensions` (`licence_id`);--> statement-breakpoint
ALTER TABLE `accounts` ADD `ends_rule` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `accounts_ends_rule` ON `accounts` (`ends_rule`,`id`);--> statement-breakpoint
ALTER TABLE `licences` ADD `payment_fell_at` integer;--> statement-breakpoint
ALTER TABLE `licences` ADD `fixed_ends_at` integer;--> statement-breakpoint
CREATE INDEX `licences_lifetime` ON `licences` (`account_id`) WHERE "licences"."expires_at" is null;--> statement-breakpoint
ALTER TABLE `payments` ADD `refunded_at` integer;--> statement-breakpoint
ALTER TABLE `payments` ADD `disputed_at` integer;--> statement-breakpoint
UPDATE `payments` SET (`refunded_at`, `disputed_at`) = (
	SELECT CASE WHEN `payments`.`state` = 'refunded' THEN min(a.`at`) END, CASE WHEN `payments`.`state` = 'disputed' THEN min(a.`at`) END
	FROM `audit_log` a
	WHERE a.`subject` = `payments`.`id` AND a.`action` IN ('payment.refunded', 'payment.disputed') AND a.`at` > coalesce(
		(SELECT max(good.`at`) FROM `audit_log` good WHERE good.`subject` = `payments`.`id` AND good.`action` = 'payment.succeeded'), 0)
) WHERE `state` IN ('refunded', 'disputed');--> statement-breakpoint
UPDATE `licences` SET `payment_fell_at` = coalesce(
	(SELECT coalesce(p.`refunded_at`, p.`disputed_at`) FROM `payments` p WHERE p.`id` = coalesce(`licences`.`payment_id`, `licences`.`further_payment_id`)),
	`expires_at`
) WHERE `payment_standing` <> 'good';--> statement-breakpoint
INSERT INTO `licence_extensions` (`id`, `licence_id`, `days`, `added_at`)
	SELECT a.`id`, l.`id`, a.`detail` ->> '$.days', a.`at` FROM `audit_log` a JOIN `licences` l ON l.`id` = a.`subject`
	WHERE a.`action` = 'licence.extended' AND a.`at` >= l.`redeemed_at` AND l.`expires_at` IS NOT NULL AND a.`detail` ->> '$.days' > 0;--> statement-breakpoint
UPDATE `licences` SET `fixed_ends_at` = `expires_at` - 86400000 * coalesce(
	(SELECT sum(e.`days`) FROM `licence_extensions` e WHERE e.`licence_id` = `licences`.`id`), 0)
WHERE `expires_at` IS NOT NULL AND (`days` IS NULL OR EXISTS (
	SELECT 1 FROM `accounts` c JOIN `audit_log` a ON a.`account_id` = c.`id` AND a.`action` = 'account.imported'
	WHERE c.`id` = `licences`.`account_id` AND abs(`licences`.`redeemed_at` - c.`created_at`) < 60000));
