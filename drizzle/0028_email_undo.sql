ALTER TABLE `accounts` ADD `recovery_due_at` integer;--> statement-breakpoint
ALTER TABLE `email_undos` ADD `mfa_enabled_at` integer;--> statement-breakpoint
-- what was on before the change, which was made 72 hours before its undo ends
UPDATE `email_undos` SET `mfa_enabled_at` = (
  SELECT `accounts`.`mfa_enabled_at` FROM `accounts`
  WHERE `accounts`.`id` = `email_undos`.`account_id`
    AND `accounts`.`mfa_enabled_at` < `email_undos`.`expires_at` - 259200000
);
