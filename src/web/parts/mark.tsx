import { mark } from "@/brand/mark";

/** The brand's logo in the surrounding text colour; decorative, so show a name next to it. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg
      viewBox={`0 0 ${mark.size} ${mark.size}`}
      fill="currentColor"
      aria-hidden="true"
      className={className}
    >
      <path fillRule="evenodd" d={mark.path} />
    </svg>
  );
}
