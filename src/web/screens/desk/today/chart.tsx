import { Area, AreaChart, CartesianGrid, XAxis, YAxis } from "recharts";
import type { Figures } from "../../../api/desk/figures";
import { type ChartConfig, ChartContainer, ChartTooltip, ChartTooltipContent } from "../../../ui/chart";
import { bucketText, shortDay } from "../parts/dates";
import type { Measure } from "./measures";

/** One figure over the range, with the days on its axis; the arrow keys go from day to day. */
export function Chart({ measure, figures }: { measure: Measure; figures: Figures }) {
  const { field, name, write, brief } = measure;
  const { series, currency, bucket } = figures;
  const config: ChartConfig = { [field]: { label: name, color: "var(--chart-1)" } };
  return (
    <ChartContainer config={config} className="h-64 w-full sm:h-80">
      <AreaChart
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
          width={44}
          tickFormatter={(value: number) => brief(value, currency)}
          tickLine={false}
          axisLine={false}
        />
        <ChartTooltip
          content={
            <ChartTooltipContent
              config={config}
              labelFormatter={(date) => bucketText(date, bucket)}
              formatter={(value) => write(value, currency)}
            />
          }
        />
        <Area
          dataKey={field}
          type="monotone"
          stroke={`var(--color-${field})`}
          strokeWidth={2}
          fill={`var(--color-${field})`}
          fillOpacity={0.16}
          connectNulls={false}
          isAnimationActive={false}
          dot={series.length === 1}
        />
      </AreaChart>
    </ChartContainer>
  );
}
