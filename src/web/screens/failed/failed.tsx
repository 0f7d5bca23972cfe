import { Link } from "react-router";

/** Shown instead of a screen that failed to render. */
export function Failed() {
  return (
    <main className="grid min-h-dvh place-content-center gap-4 px-6 py-24 text-center">
      <h1 className="text-2xl font-semibold">Something went wrong</h1>
      <p className="text-soft">This page could not be displayed. Please try again.</p>
      <p className="mt-4 flex flex-wrap justify-center gap-3">
        <button type="button" onClick={() => location.reload()} className="account-link px-7">
          Try Again
        </button>
        <Link to="/" className="button-light h-11 px-7">
          Go Home
        </Link>
      </p>
    </main>
  );
}
