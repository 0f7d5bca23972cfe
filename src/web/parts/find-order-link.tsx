import { Link } from "react-router";

/** Links to the page that emails buyers their orders, for visitors without a key at hand. */
export function FindOrderLink() {
  return (
    <p className="text-center text-sm text-muted-foreground">
      Lost your license key?{" "}
      <Link
        to="/find-order"
        className="inline-flex min-h-11 items-center text-link underline decoration-link/50 underline-offset-4 hover:decoration-link"
      >
        Find your order
      </Link>
    </p>
  );
}
