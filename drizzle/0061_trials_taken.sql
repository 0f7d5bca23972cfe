ALTER TABLE `payments` ADD `trial_at` integer;--> statement-breakpoint
ALTER TABLE `payments` ADD `trial_card` text;--> statement-breakpoint
CREATE INDEX `payments_trials` ON `payments` (`account_id`) WHERE "payments"."trial_days" is not null;--> statement-breakpoint
CREATE INDEX `payments_trials_of_address` ON `payments` (`email_key`) WHERE "payments"."trial_days" is not null;--> statement-breakpoint
CREATE INDEX `payments_trials_of_card` ON `payments` (`trial_card`) WHERE "payments"."trial_days" is not null;