import { mark } from "@/brand/mark";

/** The brand's mark in the colour of the text around it; decoration, so a name has to stand beside it. */
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
