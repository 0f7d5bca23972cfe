import { mark } from "@/brand/mark";

/** The brand's logo, in the surrounding text colour if it has only one; decorative, so show a name next to it. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg
      viewBox={mark.viewBox}
      fill="currentColor"
      aria-hidden="true"
      className={className}
      // oxlint-disable-next-line react/no-danger -- shapes and gradients only, written by `readLogo`
      dangerouslySetInnerHTML={{ __html: mark.body }}
    />
  );
}
