import type { ComponentProps, ReactNode } from "react";
import { ResponsiveContainer, Tooltip } from "recharts";
import { cn } from "../lib/utils";

/** The name and colour of each series, by its key. */
export type ChartConfig = Readonly<Record<string, { label: string; color: string }>>;

/**
 * Gives a chart its size and, as `--color-KEY`, its colours. They are set on the element, because the content policy
 * refuses the style element of shadcn's own component.
 */
export function ChartContainer({
  config,
  className,
  children,
  ...props
}: ComponentProps<"div"> & {
  config: ChartConfig;
  children: ComponentProps<typeof ResponsiveContainer>["children"];
}) {
  const colors = Object.fromEntries(
    Object.entries(config).map(([key, { color }]) => [`--color-${key}`, color]),
  );
  return (
    <div
      data-slot="chart"
      style={colors}
      className={cn(
        "text-xs [&_.recharts-cartesian-axis-tick_text]:fill-muted-foreground [&_.recharts-cartesian-grid_line]:stroke-border [&_.recharts-curve.recharts-tooltip-cursor]:stroke-input [&_.recharts-surface]:outline-offset-4",
        className,
      )}
      {...props}
    >
      <ResponsiveContainer>{children}</ResponsiveContainer>
    </div>
  );
}

export const ChartTooltip = Tooltip;

type Payload = { dataKey?: unknown; name?: unknown; value?: unknown };

/** What a chart's tooltip holds: the label, and each series with its colour. */
export function ChartTooltipContent(props: {
  active?: boolean;
  payload?: readonly Payload[];
  label?: ReactNode;
  config: ChartConfig;
  labelFormatter: (label: string) => ReactNode;
  formatter: (value: number) => string;
}) {
  const { active, payload = [], label, config, labelFormatter, formatter } = props;
  if (!active || payload.length === 0) return null;
  return (
    <div
      data-slot="chart-tooltip"
      className="flex min-w-32 flex-col gap-1.5 rounded-lg border bg-popover px-3 py-2 text-xs text-popover-foreground shadow-xl"
    >
      <span className="font-medium">{typeof label === "string" && labelFormatter(label)}</span>
      {payload.map(({ dataKey, value }) => {
        const key = String(dataKey);
        return (
          <span key={key} className="flex items-center gap-2">
            <span
              aria-hidden="true"
              className="size-2 rounded-[2px]"
              style={{ background: `var(--color-${key})` }}
            />
            <span className="text-muted-foreground">{config[key]?.label}</span>
            <span className="ml-auto font-medium tabular-nums">
              {typeof value === "number" ? formatter(value) : "–"}
            </span>
          </span>
        );
      })}
    </div>
  );
}
