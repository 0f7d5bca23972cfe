ALTER TABLE `audit_log` ADD `sequence` integer;--> statement-breakpoint
ALTER TABLE `audit_log` ADD `actor_kind` text;--> statement-breakpoint
ALTER TABLE `audit_log` ADD `actor_role` text;--> statement-breakpoint
ALTER TABLE `audit_log` ADD `actor_via` text;--> statement-breakpoint
CREATE UNIQUE INDEX `audit_sequence` ON `audit_log` (`sequence`) WHERE "audit_log"."sequence" is not null;--> statement-breakpoint
CREATE TRIGGER `audit_numbered` AFTER INSERT ON `audit_log` WHEN NEW.`sequence` IS NULL BEGIN UPDATE `audit_log` SET `sequence` = max(NEW.`at`, 1 + coalesce((SELECT max(`sequence`) FROM `audit_log` WHERE `sequence` IS NOT NULL), 0)) WHERE rowid = NEW.rowid; END;
