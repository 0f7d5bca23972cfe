const width = 100;
const height = 24;

/** A small picture without axes, decoration next to the figure itself: a bar for each sum, steps for what lasts. */
export function Spark({ values, lasts }: { values: readonly number[]; lasts: boolean }) {
  const least = Math.min(...values, 0);
  const span = Math.max(...values, 0) - least || 1;
  const step = width / values.length;
  const y = (value: number) => (height - 1 - ((value - least) / span) * (height - 2)).toFixed(1);
  const x = (at: number) => (at * step).toFixed(1);
  const steps = values.map(
    (value, at) => `${at === 0 ? "M 0" : "H"} ${at === 0 ? y(value) : `${x(at)} V ${y(value)}`}`,
  );
  const bars = values.map(
    (value, at) => `M ${x(at)} ${y(0)} V ${y(value)} H ${(at * step + step * 0.7).toFixed(1)} V ${y(0)} Z`,
  );
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className="mt-1 h-6 w-full text-chart-1"
    >
      {lasts ? (
        <path
          d={`${steps.join(" ")} H ${width}`}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.5"
          vectorEffect="non-scaling-stroke"
        />
      ) : (
        <path d={bars.join(" ")} fill="currentColor" />
      )}
    </svg>
  );
}
