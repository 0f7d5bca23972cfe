/** The value that this share of the values is at or below; NaN if there are none. */
export function percentile(values: readonly number[], share: number): number {
  const last = values.length - 1;
  return values.toSorted((a, b) => a - b)[Math.min(last, Math.floor(values.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]) => percentile(values, 0.5);
