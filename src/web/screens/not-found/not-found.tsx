import { Link } from "react-router";
import { texts } from "@/contract/texts";

/** Shown for every path that is no page, with a real 404 from the server. */
export function NotFound() {
  return (
    <main className="mx-auto grid min-h-dvh max-w-3xl place-content-center gap-6 px-6 text-center">
      <p className="text-6xl font-semibold text-link">404</p>
      <h1 className="text-2xl font-semibold">{texts.notFound}</h1>
      <p>
        <Link to="/" className="text-link underline underline-offset-4">
          Go Home
        </Link>
      </p>
    </main>
  );
}
