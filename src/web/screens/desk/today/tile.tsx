import { cn } from "../../../lib/utils";
import type { Figures } from "../../../api/desk/figures";
import { changeOf, type Measure } from "./measures";
import { Spark } from "./spark";

/** A figure with its change and a small line; a press shows it in the large chart. */
export function Tile(props: { measure: Measure; figures: Figures; chosen: boolean; onChoose: () => void }) {
  const { measure, figures, chosen, onChoose } = props;
  const { field, name, write } = measure;
  const { totals, previous, series, currency } = figures;
  const value = totals[field];
  const change = changeOf(value, previous[field]);
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={onChoose}
      className="flex min-w-0 flex-col gap-1 rounded-xl border bg-card p-4 text-left transition-colors hover:border-input-hover aria-pressed:border-ring aria-pressed:bg-primary/8"
    >
      <span className="text-xs text-muted-foreground">{name}</span>
      <span className="truncate text-lg font-semibold tracking-tight tabular-nums">
        {value === null ? "–" : write(value, currency)}
      </span>
      <span
        className={cn(
          "text-xs tabular-nums",
          change?.up === true && "text-success",
          change?.up === false && "text-destructive-text",
          (change?.up ?? null) === null && "text-muted-foreground",
        )}
      >
        <span>{change?.text ?? "–"}</span>
        <span className="sr-only"> compared with the period before</span>
      </span>
      <Spark values={series.map((bucket) => bucket[field] ?? 0)} lasts={measure.lasts === true} />
    </button>
  );
}
