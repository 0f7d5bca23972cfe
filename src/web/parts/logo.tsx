import { Link } from "react-router";
import { brand } from "@/brand/brand";

/** The shop's mark and short name; leads home. */
export function Logo() {
  return (
    <Link
      to="/"
      className="inline-flex min-h-11 items-center gap-2.5 rounded-md text-lg font-semibold tracking-tight"
    >
      <img src="/favicon.svg" alt="" width="28" height="28" className="size-7" />
      {brand.shortName}
    </Link>
  );
}
