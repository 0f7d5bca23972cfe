const width = 100;
const height = 24;

/** A small line without axes: decoration next to the figure itself. */
export function Spark({ values }: { values: readonly number[] }) {
  const least = Math.min(...values, 0);
  const span = Math.max(...values, 0) - least || 1;
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  const points = values
    .map(
      (value, at) =>
        `${(at * step).toFixed(1)},${(height - 1 - ((value - least) / span) * (height - 2)).toFixed(1)}`,
    )
    .join(" ");
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      className="mt-1 h-6 w-full text-chart-1"
    >
      <polyline
        points={points}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
