CREATE TABLE `account_sums` (
	`span` integer NOT NULL,
	`at` integer NOT NULL,
	`created` integer NOT NULL,
	PRIMARY KEY(`span`, `at`)
);
--> statement-breakpoint
CREATE TABLE `licence_sums` (
	`livemode` integer NOT NULL,
	`about` text NOT NULL,
	`span` integer NOT NULL,
	`at` integer NOT NULL,
	`change` integer NOT NULL,
	PRIMARY KEY(`livemode`, `about`, `span`, `at`)
);
--> statement-breakpoint
CREATE INDEX `licence_sums_at` ON `licence_sums` (`span`,`at`);--> statement-breakpoint
CREATE TABLE `sales_sums` (
	`livemode` integer NOT NULL,
	`currency` text NOT NULL,
	`about` text NOT NULL,
	`span` integer NOT NULL,
	`at` integer NOT NULL,
	`gross` integer NOT NULL,
	`off` integer NOT NULL,
	`refunded` integer NOT NULL,
	`disputed` integer NOT NULL,
	`payments` integer NOT NULL,
	`orders` integer NOT NULL,
	`checkouts` integer NOT NULL,
	PRIMARY KEY(`livemode`, `currency`, `about`, `span`, `at`)
);
--> statement-breakpoint
CREATE INDEX `sales_sums_at` ON `sales_sums` (`span`,`at`,`livemode`,`currency`,`about`);--> statement-breakpoint
CREATE TABLE `disputes` (
	`id` text NOT NULL,
	`taking` integer NOT NULL,
	`payment_id` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`status` text NOT NULL,
	`taken_at` integer NOT NULL,
	`returned_at` integer,
	PRIMARY KEY(`id`, `taking`),
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `disputes_payment` ON `disputes` (`payment_id`);--> statement-breakpoint
CREATE INDEX `disputes_taken` ON `disputes` (`taken_at`);--> statement-breakpoint
CREATE INDEX `disputes_returned` ON `disputes` (`returned_at`) WHERE returned_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `stripe_refunds` (
	`id` text PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`status` text NOT NULL,
	`at` integer NOT NULL,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `stripe_refunds_payment` ON `stripe_refunds` (`payment_id`);--> statement-breakpoint
CREATE INDEX `stripe_refunds_at` ON `stripe_refunds` (`at`) WHERE status = 'succeeded';--> statement-breakpoint
ALTER TABLE `licences` ADD `active_from` integer GENERATED ALWAYS AS (CASE WHEN redeemed_at < min(coalesce(expires_at, 8640000000000000), CASE WHEN payment_standing <> 'good' THEN coalesce(payment_fell_at, 0) ELSE 8640000000000000 END, coalesce(suspended_at, 8640000000000000), coalesce(revoked_at, 8640000000000000)) THEN redeemed_at END) VIRTUAL;--> statement-breakpoint
ALTER TABLE `licences` ADD `active_until` integer GENERATED ALWAYS AS (CASE WHEN redeemed_at < min(coalesce(expires_at, 8640000000000000), CASE WHEN payment_standing <> 'good' THEN coalesce(payment_fell_at, 0) ELSE 8640000000000000 END, coalesce(suspended_at, 8640000000000000), coalesce(revoked_at, 8640000000000000)) THEN nullif(min(coalesce(expires_at, 8640000000000000), CASE WHEN payment_standing <> 'good' THEN coalesce(payment_fell_at, 0) ELSE 8640000000000000 END, coalesce(suspended_at, 8640000000000000), coalesce(revoked_at, 8640000000000000)), 8640000000000000) END) VIRTUAL;--> statement-breakpoint
CREATE INDEX `licences_active_from` ON `licences` (`active_from`) WHERE "licences"."active_from" is not null;--> statement-breakpoint
CREATE INDEX `licences_active_until` ON `licences` (`active_until`) WHERE "licences"."active_until" is not null;--> statement-breakpoint
ALTER TABLE `payments` ADD `promotion_code` text;--> statement-breakpoint
UPDATE `payments` SET `paid_at` = `sold_at` WHERE `sold_at` IS NOT NULL AND `paid_at` IS NULL;
--> statement-breakpoint
CREATE VIEW `sales_facts` AS SELECT NULL AS `livemode`, NULL AS `currency`, NULL AS `offer`, NULL AS `code`, NULL AS `at`, NULL AS `gross`, NULL AS `off`, NULL AS `refunded`, NULL AS `disputed`, NULL AS `payments`, NULL AS `orders`, NULL AS `checkouts` WHERE 0;
--> statement-breakpoint
CREATE TRIGGER `sales_facts_added` INSTEAD OF INSERT ON `sales_facts` WHEN NEW.`at` IS NOT NULL BEGIN INSERT INTO `sales_sums` (`livemode`, `currency`, `about`, `span`, `at`, `gross`, `off`, `refunded`, `disputed`, `payments`, `orders`, `checkouts`) SELECT NEW.`livemode`, NEW.`currency`, k.`about`, s.`span`, NEW.`at` - NEW.`at` % s.`span`, coalesce(NEW.`gross`, 0), coalesce(NEW.`off`, 0), coalesce(NEW.`refunded`, 0), coalesce(NEW.`disputed`, 0), coalesce(NEW.`payments`, 0), coalesce(NEW.`orders`, 0), coalesce(NEW.`checkouts`, 0) FROM (SELECT '' AS `about` UNION ALL SELECT 'offer:' || coalesce(NEW.`offer`, '') UNION ALL SELECT 'code:' || NEW.`code` WHERE NEW.`code` IS NOT NULL) k CROSS JOIN (SELECT 900000 AS `span` UNION ALL SELECT 3600000 UNION ALL SELECT 86400000) s WHERE true ON CONFLICT (`livemode`, `currency`, `about`, `span`, `at`) DO UPDATE SET `gross` = `gross` + excluded.`gross`, `off` = `off` + excluded.`off`, `refunded` = `refunded` + excluded.`refunded`, `disputed` = `disputed` + excluded.`disputed`, `payments` = `payments` + excluded.`payments`, `orders` = `orders` + excluded.`orders`, `checkouts` = `checkouts` + excluded.`checkouts`; END;
--> statement-breakpoint
CREATE VIEW `licence_facts` AS SELECT NULL AS `livemode`, NULL AS `offer`, NULL AS `at`, NULL AS `change` WHERE 0;
--> statement-breakpoint
CREATE TRIGGER `licence_facts_added` INSTEAD OF INSERT ON `licence_facts` WHEN NEW.`at` IS NOT NULL BEGIN INSERT INTO `licence_sums` (`livemode`, `about`, `span`, `at`, `change`) SELECT coalesce(NEW.`livemode`, 2), k.`about`, s.`span`, NEW.`at` - NEW.`at` % s.`span`, NEW.`change` FROM (SELECT '' AS `about` UNION ALL SELECT 'offer:' || NEW.`offer` WHERE NEW.`offer` IS NOT NULL) k CROSS JOIN (SELECT 900000 AS `span` UNION ALL SELECT 3600000 UNION ALL SELECT 86400000) s WHERE true ON CONFLICT (`livemode`, `about`, `span`, `at`) DO UPDATE SET `change` = `change` + excluded.`change`; END;
--> statement-breakpoint
CREATE TRIGGER `accounts_counted` AFTER INSERT ON `accounts` BEGIN INSERT INTO `account_sums` (`span`, `at`, `created`) SELECT s.`span`, NEW.`created_at` - NEW.`created_at` % s.`span`, 1 FROM (SELECT 900000 AS `span` UNION ALL SELECT 3600000 UNION ALL SELECT 86400000) s WHERE true ON CONFLICT (`span`, `at`) DO UPDATE SET `created` = `created` + 1; END;
--> statement-breakpoint
CREATE TRIGGER `payments_counted` AFTER INSERT ON `payments` BEGIN INSERT INTO `sales_facts` (`livemode`, `currency`, `offer`, `at`, `checkouts`) VALUES (NEW.`livemode`, NEW.`currency`, NEW.`offer`, NEW.`created_at`, 1); INSERT INTO `sales_facts` (`livemode`, `currency`, `offer`, `code`, `at`, `gross`, `off`, `payments`, `orders`) SELECT NEW.`livemode`, NEW.`currency`, NEW.`offer`, NEW.`promotion_code`, coalesce(NEW.`paid_at`, NEW.`sold_at`), coalesce(NEW.`paid_amount`, NEW.`amount`), NEW.`off_amount`, 1, 1 WHERE NEW.`sold_at` IS NOT NULL; END;
--> statement-breakpoint
CREATE TRIGGER `payments_checkout_counted` AFTER UPDATE OF `livemode`, `currency`, `offer`, `created_at` ON `payments` WHEN (OLD.`livemode` IS NOT NEW.`livemode` OR OLD.`currency` IS NOT NEW.`currency` OR OLD.`offer` IS NOT NEW.`offer` OR OLD.`created_at` IS NOT NEW.`created_at`) BEGIN INSERT INTO `sales_facts` (`livemode`, `currency`, `offer`, `at`, `checkouts`) VALUES (OLD.`livemode`, OLD.`currency`, OLD.`offer`, OLD.`created_at`, -1); INSERT INTO `sales_facts` (`livemode`, `currency`, `offer`, `at`, `checkouts`) VALUES (NEW.`livemode`, NEW.`currency`, NEW.`offer`, NEW.`created_at`, 1); END;
--> statement-breakpoint
CREATE TRIGGER `payments_sale_counted` AFTER UPDATE OF `livemode`, `currency`, `offer`, `promotion_code`, `paid_at`, `sold_at`, `paid_amount`, `amount`, `off_amount` ON `payments` WHEN (OLD.`livemode` IS NOT NEW.`livemode` OR OLD.`currency` IS NOT NEW.`currency` OR OLD.`offer` IS NOT NEW.`offer` OR OLD.`promotion_code` IS NOT NEW.`promotion_code` OR OLD.`paid_at` IS NOT NEW.`paid_at` OR OLD.`sold_at` IS NOT NEW.`sold_at` OR OLD.`paid_amount` IS NOT NEW.`paid_amount` OR OLD.`amount` IS NOT NEW.`amount` OR OLD.`off_amount` IS NOT NEW.`off_amount`) AND (OLD.`sold_at` IS NOT NULL OR NEW.`sold_at` IS NOT NULL) BEGIN INSERT INTO `sales_facts` (`livemode`, `currency`, `offer`, `code`, `at`, `gross`, `off`, `payments`, `orders`) SELECT OLD.`livemode`, OLD.`currency`, OLD.`offer`, OLD.`promotion_code`, coalesce(OLD.`paid_at`, OLD.`sold_at`), -coalesce(OLD.`paid_amount`, OLD.`amount`), -OLD.`off_amount`, -1, -1 WHERE OLD.`sold_at` IS NOT NULL; INSERT INTO `sales_facts` (`livemode`, `currency`, `offer`, `code`, `at`, `gross`, `off`, `payments`, `orders`) SELECT NEW.`livemode`, NEW.`currency`, NEW.`offer`, NEW.`promotion_code`, coalesce(NEW.`paid_at`, NEW.`sold_at`), coalesce(NEW.`paid_amount`, NEW.`amount`), NEW.`off_amount`, 1, 1 WHERE NEW.`sold_at` IS NOT NULL; END;
--> statement-breakpoint
CREATE TRIGGER `payments_money_back_counted` AFTER UPDATE OF `livemode`, `offer`, `promotion_code`, `sold_at` ON `payments` WHEN ((OLD.`sold_at` IS NULL) <> (NEW.`sold_at` IS NULL) OR OLD.`livemode` IS NOT NEW.`livemode` OR OLD.`offer` IS NOT NEW.`offer` OR OLD.`promotion_code` IS NOT NEW.`promotion_code`) AND (OLD.`sold_at` IS NOT NULL OR NEW.`sold_at` IS NOT NULL) BEGIN INSERT INTO `sales_facts` (`livemode`, `currency`, `offer`, `code`, `at`, `refunded`) SELECT OLD.`livemode`, r.`currency`, OLD.`offer`, OLD.`promotion_code`, r.`at`, -r.`amount` FROM `stripe_refunds` r WHERE r.`payment_id` = OLD.`id` AND r.`status` = 'succeeded' AND OLD.`sold_at` IS NOT NULL; INSERT INTO `sales_facts` (`livemode`, `currency`, `offer`, `code`, `at`, `refunded`) SELECT NEW.`livemode`, r.`currency`, NEW.`offer`, NEW.`promotion_code`, r.`at`, r.`amount` FROM `stripe_refunds` r WHERE r.`payment_id` = NEW.`id` AND r.`status` = 'succeeded' AND NEW.`sold_at` IS NOT NULL; INSERT INTO `sales_facts` (`livemode`, `currency`, `offer`, `code`, `at`, `disputed`) SELECT OLD.`livemode`, d.`currency`, OLD.`offer`, OLD.`promotion_code`, d.`taken_at`, -d.`amount` FROM `disputes` d WHERE d.`payment_id` = OLD.`id` AND OLD.`sold_at` IS NOT NULL; INSERT INTO `sales_facts` (`livemode`, `currency`, `offer`, `code`, `at`, `disputed`) SELECT OLD.`livemode`, d.`currency`, OLD.`offer`, OLD.`promotion_code`, d.`returned_at`, d.`amount` FROM `disputes` d WHERE d.`payment_id` = OLD.`id` AND d.`returned_at` IS NOT NULL AND OLD.`sold_at` IS NOT NULL; INSERT INTO `sales_facts` (`livemode`, `currency`, `offer`, `code`, `at`, `disputed`) SELECT NEW.`livemode`, d.`currency`, NEW.`offer`, NEW.`promotion_code`, d.`taken_at`, d.`amount` FROM `disputes` d WHERE d.`payment_id` = NEW.`id` AND NEW.`sold_at` IS NOT NULL; INSERT INTO `sales_facts` (`livemode`, `currency`, `offer`, `code`, `at`, `disputed`) SELECT NEW.`livemode`, d.`currency`, NEW.`offer`, NEW.`promotion_code`, d.`returned_at`, -d.`amount` FROM `disputes` d WHERE d.`payment_id` = NEW.`id` AND d.`returned_at` IS NOT NULL AND NEW.`sold_at` IS NOT NULL; END;
--> statement-breakpoint
CREATE TRIGGER `stripe_refunds_counted` AFTER INSERT ON `stripe_refunds` BEGIN INSERT INTO `sales_facts` (`livemode`, `currency`, `offer`, `code`, `at`, `refunded`) SELECT p.`livemode`, NEW.`currency`, p.`offer`, p.`promotion_code`, NEW.`at`, NEW.`amount` FROM `payments` p WHERE p.`id` = NEW.`payment_id` AND p.`sold_at` IS NOT NULL AND NEW.`status` = 'succeeded'; END;
--> statement-breakpoint
CREATE TRIGGER `stripe_refunds_recounted` AFTER UPDATE OF `payment_id`, `amount`, `currency`, `status`, `at` ON `stripe_refunds` WHEN (OLD.`payment_id` IS NOT NEW.`payment_id` OR OLD.`amount` IS NOT NEW.`amount` OR OLD.`currency` IS NOT NEW.`currency` OR OLD.`status` IS NOT NEW.`status` OR OLD.`at` IS NOT NEW.`at`) BEGIN INSERT INTO `sales_facts` (`livemode`, `currency`, `offer`, `code`, `at`, `refunded`) SELECT p.`livemode`, OLD.`currency`, p.`offer`, p.`promotion_code`, OLD.`at`, -OLD.`amount` FROM `payments` p WHERE p.`id` = OLD.`payment_id` AND p.`sold_at` IS NOT NULL AND OLD.`status` = 'succeeded'; INSERT INTO `sales_facts` (`livemode`, `currency`, `offer`, `code`, `at`, `refunded`) SELECT p.`livemode`, NEW.`currency`, p.`offer`, p.`promotion_code`, NEW.`at`, NEW.`amount` FROM `payments` p WHERE p.`id` = NEW.`payment_id` AND p.`sold_at` IS NOT NULL AND NEW.`status` = 'succeeded'; END;
--> statement-breakpoint
CREATE TRIGGER `stripe_refunds_uncounted` AFTER DELETE ON `stripe_refunds` BEGIN INSERT INTO `sales_facts` (`livemode`, `currency`, `offer`, `code`, `at`, `refunded`) SELECT p.`livemode`, OLD.`currency`, p.`offer`, p.`promotion_code`, OLD.`at`, -OLD.`amount` FROM `payments` p WHERE p.`id` = OLD.`payment_id` AND p.`sold_at` IS NOT NULL AND OLD.`status` = 'succeeded'; END;
--> statement-breakpoint
CREATE TRIGGER `disputes_counted` AFTER INSERT ON `disputes` BEGIN INSERT INTO `sales_facts` (`livemode`, `currency`, `offer`, `code`, `at`, `disputed`) SELECT p.`livemode`, NEW.`currency`, p.`offer`, p.`promotion_code`, f.`at`, f.`amount` FROM `payments` p CROSS JOIN (SELECT NEW.`taken_at` AS `at`, NEW.`amount` AS `amount` UNION ALL SELECT NEW.`returned_at`, -NEW.`amount` WHERE NEW.`returned_at` IS NOT NULL) f WHERE p.`id` = NEW.`payment_id` AND p.`sold_at` IS NOT NULL; END;
--> statement-breakpoint
CREATE TRIGGER `disputes_recounted` AFTER UPDATE OF `payment_id`, `amount`, `currency`, `taken_at`, `returned_at` ON `disputes` WHEN (OLD.`payment_id` IS NOT NEW.`payment_id` OR OLD.`amount` IS NOT NEW.`amount` OR OLD.`currency` IS NOT NEW.`currency` OR OLD.`taken_at` IS NOT NEW.`taken_at` OR OLD.`returned_at` IS NOT NEW.`returned_at`) BEGIN INSERT INTO `sales_facts` (`livemode`, `currency`, `offer`, `code`, `at`, `disputed`) SELECT p.`livemode`, OLD.`currency`, p.`offer`, p.`promotion_code`, f.`at`, f.`amount` FROM `payments` p CROSS JOIN (SELECT OLD.`taken_at` AS `at`, -OLD.`amount` AS `amount` UNION ALL SELECT OLD.`returned_at`, OLD.`amount` WHERE OLD.`returned_at` IS NOT NULL) f WHERE p.`id` = OLD.`payment_id` AND p.`sold_at` IS NOT NULL; INSERT INTO `sales_facts` (`livemode`, `currency`, `offer`, `code`, `at`, `disputed`) SELECT p.`livemode`, NEW.`currency`, p.`offer`, p.`promotion_code`, f.`at`, f.`amount` FROM `payments` p CROSS JOIN (SELECT NEW.`taken_at` AS `at`, NEW.`amount` AS `amount` UNION ALL SELECT NEW.`returned_at`, -NEW.`amount` WHERE NEW.`returned_at` IS NOT NULL) f WHERE p.`id` = NEW.`payment_id` AND p.`sold_at` IS NOT NULL; END;
--> statement-breakpoint
CREATE TRIGGER `disputes_uncounted` AFTER DELETE ON `disputes` BEGIN INSERT INTO `sales_facts` (`livemode`, `currency`, `offer`, `code`, `at`, `disputed`) SELECT p.`livemode`, OLD.`currency`, p.`offer`, p.`promotion_code`, f.`at`, f.`amount` FROM `payments` p CROSS JOIN (SELECT OLD.`taken_at` AS `at`, -OLD.`amount` AS `amount` UNION ALL SELECT OLD.`returned_at`, OLD.`amount` WHERE OLD.`returned_at` IS NOT NULL) f WHERE p.`id` = OLD.`payment_id` AND p.`sold_at` IS NOT NULL; END;
--> statement-breakpoint
CREATE TRIGGER `licences_counted` AFTER INSERT ON `licences` WHEN NEW.`active_from` IS NOT NULL BEGIN INSERT INTO `licence_facts` (`livemode`, `offer`, `at`, `change`) VALUES (NEW.`livemode`, NEW.`offer`, NEW.`active_from`, 1), (NEW.`livemode`, NEW.`offer`, NEW.`active_until`, -1); END;
--> statement-breakpoint
CREATE TRIGGER `licences_recounted` AFTER UPDATE OF `redeemed_at`, `expires_at`, `payment_standing`, `payment_fell_at`, `suspended_at`, `revoked_at`, `livemode`, `offer` ON `licences` WHEN (OLD.`active_from` IS NOT NEW.`active_from` OR OLD.`active_until` IS NOT NEW.`active_until` OR OLD.`livemode` IS NOT NEW.`livemode` OR OLD.`offer` IS NOT NEW.`offer`) BEGIN INSERT INTO `licence_facts` (`livemode`, `offer`, `at`, `change`) VALUES (OLD.`livemode`, OLD.`offer`, OLD.`active_from`, -1), (OLD.`livemode`, OLD.`offer`, OLD.`active_until`, 1); INSERT INTO `licence_facts` (`livemode`, `offer`, `at`, `change`) VALUES (NEW.`livemode`, NEW.`offer`, NEW.`active_from`, 1), (NEW.`livemode`, NEW.`offer`, NEW.`active_until`, -1); END;
--> statement-breakpoint
CREATE TRIGGER `licences_uncounted` AFTER DELETE ON `licences` WHEN OLD.`active_from` IS NOT NULL BEGIN INSERT INTO `licence_facts` (`livemode`, `offer`, `at`, `change`) VALUES (OLD.`livemode`, OLD.`offer`, OLD.`active_from`, -1), (OLD.`livemode`, OLD.`offer`, OLD.`active_until`, 1); END;
--> statement-breakpoint
INSERT INTO `sales_sums` (`livemode`, `currency`, `about`, `span`, `at`, `gross`, `off`, `refunded`, `disputed`, `payments`, `orders`, `checkouts`) SELECT f.`livemode`, f.`currency`, CASE o.`own` WHEN 0 THEN '' ELSE 'offer:' || f.`offer` END, s.`span`, f.`at` - f.`at` % s.`span`, sum(f.`gross`), sum(f.`off`), sum(f.`refunded`), sum(f.`disputed`), sum(f.`payments`), sum(f.`orders`), sum(f.`checkouts`) FROM ( SELECT `livemode`, `currency`, coalesce(`offer`, '') AS `offer`, `at` - `at` % 900000 AS `at`, sum(`gross`) AS `gross`, sum(`off`) AS `off`, sum(`refunded`) AS `refunded`, sum(`disputed`) AS `disputed`, sum(`payments`) AS `payments`, sum(`orders`) AS `orders`, sum(`checkouts`) AS `checkouts` FROM (SELECT `livemode`, `currency`, `offer`, `created_at` AS `at`, 0 AS `gross`, 0 AS `off`, 0 AS `refunded`, 0 AS `disputed`, 0 AS `payments`, 0 AS `orders`, 1 AS `checkouts` FROM `payments` UNION ALL SELECT `livemode`, `currency`, `offer`, coalesce(`paid_at`, `sold_at`), coalesce(`paid_amount`, `amount`), `off_amount`, 0, 0, 1, 1, 0 FROM `payments` WHERE `sold_at` IS NOT NULL) GROUP BY 1, 2, 3, 4) f CROSS JOIN (SELECT 0 AS `own` UNION ALL SELECT 1) o CROSS JOIN (SELECT 900000 AS `span` UNION ALL SELECT 3600000 UNION ALL SELECT 86400000) s GROUP BY 1, 2, 3, 4, 5;
--> statement-breakpoint
INSERT INTO `licence_sums` (`livemode`, `about`, `span`, `at`, `change`) SELECT f.`livemode`, CASE o.`own` WHEN 0 THEN '' ELSE 'offer:' || f.`offer` END, s.`span`, f.`at` - f.`at` % s.`span`, sum(f.`change`) FROM ( SELECT coalesce(`livemode`, 2) AS `livemode`, `offer`, `at` - `at` % 900000 AS `at`, sum(`change`) AS `change` FROM ( SELECT `livemode`, `offer`, `active_from` AS `at`, 1 AS `change` FROM `licences` WHERE `active_from` IS NOT NULL UNION ALL SELECT `livemode`, `offer`, `active_until`, -1 FROM `licences` WHERE `active_until` IS NOT NULL) GROUP BY 1, 2, 3) f CROSS JOIN (SELECT 0 AS `own` UNION ALL SELECT 1) o CROSS JOIN (SELECT 900000 AS `span` UNION ALL SELECT 3600000 UNION ALL SELECT 86400000) s WHERE o.`own` = 0 OR f.`offer` IS NOT NULL GROUP BY 1, 2, 3, 4;
--> statement-breakpoint
INSERT INTO `account_sums` (`span`, `at`, `created`) SELECT s.`span`, a.`created_at` - a.`created_at` % s.`span`, count(*) FROM `accounts` a CROSS JOIN (SELECT 900000 AS `span` UNION ALL SELECT 3600000 UNION ALL SELECT 86400000) s GROUP BY 1, 2;
--> statement-breakpoint
INSERT INTO `stripe_refunds` (`id`, `payment_id`, `amount`, `currency`, `status`, `at`) SELECT 'before:' || p.`id` || ':' || s.`entry`, p.`id`, s.`level` - s.`below`, p.`currency`, 'succeeded', s.`at` FROM ( SELECT `payment`, `entry`, `at`, `level`, lag(`level`, 1, 0) OVER (PARTITION BY `payment` ORDER BY `at`, `entry`) AS `below` FROM ( SELECT p.`id` AS `payment`, a.`id` AS `entry`, a.`at`, min(min(a.`detail` ->> '$.refunded', p.`refunded_amount`)) OVER (PARTITION BY p.`id` ORDER BY a.`at`, a.`id` ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS `level` FROM `payments` p JOIN `audit_log` a ON a.`subject` = p.`id` WHERE p.`refunded_amount` > 0 AND a.`action` GLOB 'payment.*' AND json_type(a.`detail`, '$.refunded') = 'integer')) s JOIN `payments` p ON p.`id` = s.`payment` WHERE s.`level` > s.`below`;
--> statement-breakpoint
INSERT INTO `stripe_refunds` (`id`, `payment_id`, `amount`, `currency`, `status`, `at`) SELECT 'before:' || p.`id`, p.`id`, p.`refunded_amount` - coalesce(r.`known`, 0), p.`currency`, 'succeeded', coalesce(p.`paid_at`, p.`sold_at`, p.`created_at`) FROM `payments` p LEFT JOIN (SELECT `payment_id`, sum(`amount`) AS `known` FROM `stripe_refunds` GROUP BY 1) r ON r.`payment_id` = p.`id` WHERE p.`refunded_amount` > coalesce(r.`known`, 0);
--> statement-breakpoint
INSERT INTO `disputes` (`id`, `taking`, `payment_id`, `amount`, `currency`, `status`, `taken_at`, `returned_at`) SELECT 'before:' || p.`id`, 0, p.`id`, coalesce(p.`dispute_amount`, p.`paid_amount`, p.`amount`), coalesce(p.`dispute_currency`, p.`currency`), p.`dispute_status`, coalesce((SELECT min(a.`at`) FROM `audit_log` a WHERE a.`subject` = p.`id` AND a.`action` = 'payment.disputed'), p.`paid_at`, p.`sold_at`, p.`created_at`), CASE WHEN p.`dispute_status` = 'won' THEN coalesce((SELECT min(a.`at`) FROM `audit_log` a WHERE a.`subject` = p.`id` AND a.`action` GLOB 'payment.*' AND a.`detail` ->> '$.dispute' = 'won'), p.`paid_at`, p.`sold_at`, p.`created_at`) END FROM `payments` p WHERE p.`dispute_status` IS NOT NULL AND p.`dispute_status` NOT GLOB 'warning_*' AND p.`dispute_status` <> 'prevented' AND (p.`dispute_status` <> 'won' OR EXISTS (SELECT 1 FROM `audit_log` a WHERE a.`subject` = p.`id` AND a.`action` = 'payment.disputed'));