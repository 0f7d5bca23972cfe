CREATE TABLE `unsubscribed` (
	`address_hash` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
DROP INDEX `payments_email`;--> statement-breakpoint
DROP INDEX `payments_gift`;--> statement-breakpoint
ALTER TABLE `payments` ADD `unusual_gift_key` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `gift_key` text GENERATED ALWAYS AS (coalesce(unusual_gift_key, lower(gift_email))) VIRTUAL;--> statement-breakpoint
ALTER TABLE `payments` ADD `unusual_email_key` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `email_key` text GENERATED ALWAYS AS (coalesce(unusual_email_key, lower(email))) VIRTUAL;--> statement-breakpoint
CREATE INDEX `payments_email_key` ON `payments` (`email_key`,`created_at`);--> statement-breakpoint
CREATE INDEX `payments_gift_key` ON `payments` (`gift_key`,`created_at`) WHERE "payments"."gift_key" is not null;--> statement-breakpoint
CREATE INDEX `payments_without_email_key` ON `payments` (`id`) WHERE ("payments"."unusual_email_key" IS NULL AND ("payments"."email" GLOB '*[^ -~]*' OR instr(lower("payments"."email"), 'xn--') > 0));--> statement-breakpoint
CREATE INDEX `payments_without_gift_key` ON `payments` (`id`) WHERE ("payments"."unusual_gift_key" IS NULL AND ("payments"."gift_email" GLOB '*[^ -~]*' OR instr(lower("payments"."gift_email"), 'xn--') > 0));--> statement-breakpoint
CREATE INDEX `payments_unsubscribed` ON `payments` (`unsubscribed_at`) WHERE "payments"."unsubscribed_at" is not null;--> statement-breakpoint
CREATE INDEX `accounts_unusual_email` ON `accounts` (`id`) WHERE ("accounts"."email" GLOB '*[^ -~]*' OR instr(lower("accounts"."email"), 'xn--') > 0);--> statement-breakpoint
CREATE INDEX `accounts_unsubscribed` ON `accounts` (`unsubscribed_at`) WHERE "accounts"."unsubscribed_at" is not null;--> statement-breakpoint
CREATE INDEX `blocks_unusual` ON `blocks` (`id`) WHERE ("blocks"."key" GLOB '*[^ -~]*' OR instr(lower("blocks"."key"), 'xn--') > 0);