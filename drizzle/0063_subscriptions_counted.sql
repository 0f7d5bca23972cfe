ALTER TABLE `recurring_sums` ADD `running` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `trial` integer DEFAULT false NOT NULL;
--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `first_paid_at` integer;
--> statement-breakpoint
CREATE INDEX `subscriptions_first_paid` ON `subscriptions` (`first_paid_at`,`livemode`,`currency`,`offer`) WHERE "subscriptions"."first_paid_at" is not null;
--> statement-breakpoint
CREATE INDEX `subscriptions_trials` ON `subscriptions` (`started_at`,`livemode`,`currency`,`offer`,`status`,`first_paid_at`) WHERE (trial = 1);
--> statement-breakpoint
CREATE INDEX `subscriptions_ended` ON `subscriptions` (`ended_at`,`livemode`,`currency`,`offer`,`first_paid_at`) WHERE "subscriptions"."ended_at" is not null;
--> statement-breakpoint
-- what the payments tell of those that began before
UPDATE `subscriptions` SET `trial` = coalesce((SELECT p.`trial_days` IS NOT NULL FROM `payments` p WHERE p.`id` = `subscriptions`.`id`), 0);
--> statement-breakpoint
UPDATE `subscriptions` SET `first_paid_at` = (SELECT min(coalesce(p.`paid_at`, p.`sold_at`)) FROM `payments` p WHERE p.`subscription` = `subscriptions`.`stripe_id` AND p.`sold_at` IS NOT NULL AND CASE WHEN `subscriptions`.`trial` THEN p.`paid_amount` > 0 ELSE p.`id` = `subscriptions`.`id` END);
--> statement-breakpoint
DROP TRIGGER `subscription_runs_counted`;
--> statement-breakpoint
CREATE TRIGGER `subscription_runs_counted` AFTER INSERT ON `subscription_runs` BEGIN INSERT INTO `recurring_sums` (`livemode`, `currency`, `about`, `span`, `at`, `change`, `running`) SELECT NEW.`livemode`, NEW.`currency`, k.`about`, s.`span`, f.`at` - f.`at` % s.`span`, f.`change`, f.`running` FROM (SELECT NEW.`from` AS `at`, NEW.`yearly` AS `change`, 1 AS `running` UNION ALL SELECT NEW.`until`, -NEW.`yearly`, -1 WHERE NEW.`until` IS NOT NULL) f CROSS JOIN (SELECT '' AS `about` UNION ALL SELECT 'offer:' || NEW.`offer`) k CROSS JOIN (SELECT 900000 AS `span` UNION ALL SELECT 3600000 UNION ALL SELECT 86400000) s WHERE true ON CONFLICT (`livemode`, `currency`, `about`, `span`, `at`) DO UPDATE SET `change` = `change` + excluded.`change`, `running` = `running` + excluded.`running`; END;
--> statement-breakpoint
DROP TRIGGER `subscription_runs_recounted`;
--> statement-breakpoint
CREATE TRIGGER `subscription_runs_recounted` AFTER UPDATE ON `subscription_runs` BEGIN INSERT INTO `recurring_sums` (`livemode`, `currency`, `about`, `span`, `at`, `change`, `running`) SELECT OLD.`livemode`, OLD.`currency`, k.`about`, s.`span`, f.`at` - f.`at` % s.`span`, f.`change`, f.`running` FROM (SELECT OLD.`from` AS `at`, -OLD.`yearly` AS `change`, -1 AS `running` UNION ALL SELECT OLD.`until`, OLD.`yearly`, 1 WHERE OLD.`until` IS NOT NULL) f CROSS JOIN (SELECT '' AS `about` UNION ALL SELECT 'offer:' || OLD.`offer`) k CROSS JOIN (SELECT 900000 AS `span` UNION ALL SELECT 3600000 UNION ALL SELECT 86400000) s WHERE true ON CONFLICT (`livemode`, `currency`, `about`, `span`, `at`) DO UPDATE SET `change` = `change` + excluded.`change`, `running` = `running` + excluded.`running`; INSERT INTO `recurring_sums` (`livemode`, `currency`, `about`, `span`, `at`, `change`, `running`) SELECT NEW.`livemode`, NEW.`currency`, k.`about`, s.`span`, f.`at` - f.`at` % s.`span`, f.`change`, f.`running` FROM (SELECT NEW.`from` AS `at`, NEW.`yearly` AS `change`, 1 AS `running` UNION ALL SELECT NEW.`until`, -NEW.`yearly`, -1 WHERE NEW.`until` IS NOT NULL) f CROSS JOIN (SELECT '' AS `about` UNION ALL SELECT 'offer:' || NEW.`offer`) k CROSS JOIN (SELECT 900000 AS `span` UNION ALL SELECT 3600000 UNION ALL SELECT 86400000) s WHERE true ON CONFLICT (`livemode`, `currency`, `about`, `span`, `at`) DO UPDATE SET `change` = `change` + excluded.`change`, `running` = `running` + excluded.`running`; END;
--> statement-breakpoint
DROP TRIGGER `subscription_runs_uncounted`;
--> statement-breakpoint
CREATE TRIGGER `subscription_runs_uncounted` AFTER DELETE ON `subscription_runs` BEGIN INSERT INTO `recurring_sums` (`livemode`, `currency`, `about`, `span`, `at`, `change`, `running`) SELECT OLD.`livemode`, OLD.`currency`, k.`about`, s.`span`, f.`at` - f.`at` % s.`span`, f.`change`, f.`running` FROM (SELECT OLD.`from` AS `at`, -OLD.`yearly` AS `change`, -1 AS `running` UNION ALL SELECT OLD.`until`, OLD.`yearly`, 1 WHERE OLD.`until` IS NOT NULL) f CROSS JOIN (SELECT '' AS `about` UNION ALL SELECT 'offer:' || OLD.`offer`) k CROSS JOIN (SELECT 900000 AS `span` UNION ALL SELECT 3600000 UNION ALL SELECT 86400000) s WHERE true ON CONFLICT (`livemode`, `currency`, `about`, `span`, `at`) DO UPDATE SET `change` = `change` + excluded.`change`, `running` = `running` + excluded.`running`; END;
--> statement-breakpoint
-- those that have run so far
INSERT INTO `recurring_sums` (`livemode`, `currency`, `about`, `span`, `at`, `change`, `running`) SELECT f.`livemode`, f.`currency`, CASE k.`kind` WHEN 0 THEN '' ELSE 'offer:' || f.`offer` END, s.`span`, f.`at` - f.`at` % s.`span` AS `begins`, 0, sum(f.`running`) FROM (SELECT `livemode`, `currency`, `offer`, `from` AS `at`, 1 AS `running` FROM `subscription_runs` UNION ALL SELECT `livemode`, `currency`, `offer`, `until`, -1 FROM `subscription_runs` WHERE `until` IS NOT NULL) f CROSS JOIN (SELECT 0 AS `kind` UNION ALL SELECT 1) k CROSS JOIN (SELECT 900000 AS `span` UNION ALL SELECT 3600000 UNION ALL SELECT 86400000) s GROUP BY 1, 2, 3, 4, 5 ON CONFLICT (`livemode`, `currency`, `about`, `span`, `at`) DO UPDATE SET `running` = excluded.`running`;
