import { Area, Bar, CartesianGrid, ComposedChart, XAxis, YAxis } from "recharts";
import type { Figures } from "../../../api/desk/figures";
import { type ChartConfig, ChartContainer, ChartTooltip, ChartTooltipContent } from "../../../ui/chart";
import { bucketText, shortDay } from "../parts/dates";
import type { Measure } from "./measures";

/**
 * One figure over the range, with the days on its axis; the arrow keys go from day to day. What is counted by the day is a bar
 * a day, since nothing is sold between two days; what lasts changes in steps.
 */
export function Chart({ measure, figures }: { measure: Measure; figures: Figures }) {
  const { field, name, write, brief, lasts } = measure;
  const { series, currency, bucket } = figures;
  const isEmpty = series.every((one) => !one[field]);
  const config: ChartConfig = { [field]: { label: name, color: "var(--chart-1)" } };
  return (
    <ChartContainer config={config} className="h-64 w-full sm:h-80">
      <ComposedChart
        data={series}
        margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
        accessibilityLayer
        title={name}
      >
        <CartesianGrid vertical={false} />
        <XAxis
          dataKey="date"
          tickFormatter={shortDay}
          tickLine={false}
          axisLine={false}
          tickMargin={8}
          minTickGap={32}
        />
        <YAxis
          width={68}
          tickFormatter={(value: number) => brief(value, currency)}
          tickLine={false}
          axisLine={false}
          // the least of units would all be written as zero
          {...(isEmpty && { ticks: [0], domain: [0, 1] })}
        />
        <ChartTooltip
          cursor={{ fill: "var(--accent)" }}
          content={
            <ChartTooltipContent
              config={config}
              labelFormatter={(date) => bucketText(date, bucket)}
              formatter={(value) => write(value, currency)}
            />
          }
        />
        {lasts ? (
          <Area
            dataKey={field}
            type="stepAfter"
            stroke={`var(--color-${field})`}
            strokeWidth={2}
            fill={`var(--color-${field})`}
            fillOpacity={0.16}
            connectNulls={false}
            isAnimationActive={false}
            dot={series.length === 1}
          />
        ) : (
          <Bar
            dataKey={field}
            fill={`var(--color-${field})`}
            maxBarSize={48}
            radius={[3, 3, 0, 0]}
            isAnimationActive={false}
          />
        )}
      </ComposedChart>
    </ChartContainer>
  );
}
