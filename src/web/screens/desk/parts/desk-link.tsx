import { Link } from "react-router";

/** In a text or a list of facts: leads to the page of what it names. */
export const DeskLink = ({ to, name }: { to: string; name: string }) => (
  <Link to={to} className="text-link underline underline-offset-4">
    {name}
  </Link>
);
