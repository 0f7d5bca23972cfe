DROP INDEX `sales_sums_at`;--> statement-breakpoint
CREATE INDEX `sales_sums_read` ON `sales_sums` (`livemode`,`currency`,`about`,`span`,`at`,`gross`,`off`,`refunded`,`disputed`,`payments`,`orders`,`checkouts`);--> statement-breakpoint
CREATE INDEX `sales_sums_at` ON `sales_sums` (`span`,`at`,`livemode`,`currency`,`about`,`gross`,`off`,`refunded`,`disputed`,`payments`,`orders`,`checkouts`);--> statement-breakpoint
CREATE INDEX `licence_sums_read` ON `licence_sums` (`livemode`,`about`,`span`,`at`,`change`);