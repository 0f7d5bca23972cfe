import { Link } from "react-router";
import { brand } from "@/brand/brand";
import { Mark } from "./mark";

/** The shop's logo and short name, linking home. */
export function Logo() {
  return (
    <Link
      to="/"
      className="inline-flex min-h-11 items-center gap-2.5 rounded-md text-lg font-semibold tracking-tight"
    >
      <Mark className="size-7 text-link" />
      {brand.shortName}
    </Link>
  );
}
