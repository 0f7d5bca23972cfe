CREATE TABLE `recurring_sums` (
	`livemode` integer NOT NULL,
	`currency` text NOT NULL,
	`about` text NOT NULL,
	`span` integer NOT NULL,
	`at` integer NOT NULL,
	`change` integer NOT NULL,
	PRIMARY KEY(`livemode`, `currency`, `about`, `span`, `at`)
);
--> statement-breakpoint
CREATE INDEX `recurring_sums_at` ON `recurring_sums` (`span`,`at`);--> statement-breakpoint
CREATE TABLE `subscription_runs` (
	`subscription_id` text NOT NULL,
	`livemode` integer NOT NULL,
	`currency` text NOT NULL,
	`offer` text NOT NULL,
	`yearly` integer NOT NULL,
	`from` integer NOT NULL,
	`until` integer,
	PRIMARY KEY(`subscription_id`, `from`),
	FOREIGN KEY (`subscription_id`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `subscription_runs_from` ON `subscription_runs` (`from`);--> statement-breakpoint
CREATE INDEX `subscription_runs_until` ON `subscription_runs` (`until`) WHERE "subscription_runs"."until" is not null;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `net_amount` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE TRIGGER `subscription_runs_counted` AFTER INSERT ON `subscription_runs` BEGIN INSERT INTO `recurring_sums` (`livemode`, `currency`, `about`, `span`, `at`, `change`) SELECT NEW.`livemode`, NEW.`currency`, k.`about`, s.`span`, f.`at` - f.`at` % s.`span`, f.`change` FROM (SELECT NEW.`from` AS `at`, NEW.`yearly` AS `change` UNION ALL SELECT NEW.`until`, -NEW.`yearly` WHERE NEW.`until` IS NOT NULL) f CROSS JOIN (SELECT '' AS `about` UNION ALL SELECT 'offer:' || NEW.`offer`) k CROSS JOIN (SELECT 900000 AS `span` UNION ALL SELECT 3600000 UNION ALL SELECT 86400000) s WHERE true ON CONFLICT (`livemode`, `currency`, `about`, `span`, `at`) DO UPDATE SET `change` = `change` + excluded.`change`; END;
--> statement-breakpoint
CREATE TRIGGER `subscription_runs_recounted` AFTER UPDATE ON `subscription_runs` BEGIN INSERT INTO `recurring_sums` (`livemode`, `currency`, `about`, `span`, `at`, `change`) SELECT OLD.`livemode`, OLD.`currency`, k.`about`, s.`span`, f.`at` - f.`at` % s.`span`, f.`change` FROM (SELECT OLD.`from` AS `at`, -OLD.`yearly` AS `change` UNION ALL SELECT OLD.`until`, OLD.`yearly` WHERE OLD.`until` IS NOT NULL) f CROSS JOIN (SELECT '' AS `about` UNION ALL SELECT 'offer:' || OLD.`offer`) k CROSS JOIN (SELECT 900000 AS `span` UNION ALL SELECT 3600000 UNION ALL SELECT 86400000) s WHERE true ON CONFLICT (`livemode`, `currency`, `about`, `span`, `at`) DO UPDATE SET `change` = `change` + excluded.`change`; INSERT INTO `recurring_sums` (`livemode`, `currency`, `about`, `span`, `at`, `change`) SELECT NEW.`livemode`, NEW.`currency`, k.`about`, s.`span`, f.`at` - f.`at` % s.`span`, f.`change` FROM (SELECT NEW.`from` AS `at`, NEW.`yearly` AS `change` UNION ALL SELECT NEW.`until`, -NEW.`yearly` WHERE NEW.`until` IS NOT NULL) f CROSS JOIN (SELECT '' AS `about` UNION ALL SELECT 'offer:' || NEW.`offer`) k CROSS JOIN (SELECT 900000 AS `span` UNION ALL SELECT 3600000 UNION ALL SELECT 86400000) s WHERE true ON CONFLICT (`livemode`, `currency`, `about`, `span`, `at`) DO UPDATE SET `change` = `change` + excluded.`change`; END;
--> statement-breakpoint
CREATE TRIGGER `subscription_runs_uncounted` AFTER DELETE ON `subscription_runs` BEGIN INSERT INTO `recurring_sums` (`livemode`, `currency`, `about`, `span`, `at`, `change`) SELECT OLD.`livemode`, OLD.`currency`, k.`about`, s.`span`, f.`at` - f.`at` % s.`span`, f.`change` FROM (SELECT OLD.`from` AS `at`, -OLD.`yearly` AS `change` UNION ALL SELECT OLD.`until`, OLD.`yearly` WHERE OLD.`until` IS NOT NULL) f CROSS JOIN (SELECT '' AS `about` UNION ALL SELECT 'offer:' || OLD.`offer`) k CROSS JOIN (SELECT 900000 AS `span` UNION ALL SELECT 3600000 UNION ALL SELECT 86400000) s WHERE true ON CONFLICT (`livemode`, `currency`, `about`, `span`, `at`) DO UPDATE SET `change` = `change` + excluded.`change`; END;
