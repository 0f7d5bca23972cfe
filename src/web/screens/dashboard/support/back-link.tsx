import { ArrowLeft } from "lucide-react";
import { Link } from "react-router";

/** From a ticket to the list of all. */
export const BackLink = () => (
  <Link
    to="/dashboard/tickets"
    className="-my-2 flex min-h-11 items-center gap-2 text-sm text-link hover:underline"
  >
    <ArrowLeft aria-hidden="true" className="size-4" />
    Back to my tickets
  </Link>
);
