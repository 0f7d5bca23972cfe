/** How far something is, as a line. */
export const ProgressBar = ({ label, done, of }: { label: string; done: number; of: number }) => (
  <progress
    aria-label={label}
    max={Math.max(of, 1)}
    value={done}
    className="h-1.5 w-full appearance-none overflow-hidden rounded-full bg-secondary [&::-moz-progress-bar]:bg-chart-1 [&::-webkit-progress-bar]:bg-secondary [&::-webkit-progress-value]:bg-chart-1"
  />
);
