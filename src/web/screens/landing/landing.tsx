import { Link } from "react-router";
import { brand } from "@/brand/brand";

/** The public front page. */
export function Landing() {
  return (
    <main className="mx-auto grid min-h-dvh max-w-3xl place-content-center gap-6 px-6 text-center">
      <p className="text-sm font-medium text-link">{brand.product}</p>
      <h1 className="text-4xl font-semibold tracking-tight text-balance sm:text-6xl">{brand.tagline}</h1>
      <p>
        <Link
          to="/register"
          className="inline-flex h-11 items-center rounded-md bg-primary px-6 font-medium text-primary-foreground"
        >
          Get Started
        </Link>
      </p>
    </main>
  );
}
