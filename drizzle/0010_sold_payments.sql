ALTER TABLE `payments` ADD `sold_at` integer;--> statement-breakpoint
UPDATE `payments` SET `sold_at` = (SELECT `created_at` FROM `licences` WHERE `licences`.`payment_id` = `payments`.`id`);
--> statement-breakpoint
UPDATE `payments` SET `mismatch` = NULL, `failure_reason` = NULL, `state` = 'succeeded' WHERE `sold_at` IS NOT NULL AND `state` = 'failed';
