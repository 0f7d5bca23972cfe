ALTER TABLE `licences` ADD `livemode` integer;--> statement-breakpoint
UPDATE `licences` SET `livemode` = (SELECT `livemode` FROM `payments` WHERE `payments`.`id` = `licences`.`payment_id`) WHERE `payment_id` IS NOT NULL;
