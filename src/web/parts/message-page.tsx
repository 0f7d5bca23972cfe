import type { ReactNode } from "react";
import { Link } from "react-router";
import { LegalLinks } from "./legal-links";

/** A page with a single message and a link home. */
export function MessagePage(props: { sign: string; title: string; children: ReactNode; action?: ReactNode }) {
  return (
    <main className="relative isolate grid min-h-dvh place-content-center overflow-hidden px-6 py-24 text-center">
      <div aria-hidden="true" className="lone-light" />
      <p
        aria-hidden="true"
        className="text-[clamp(7rem,24vw,14rem)] leading-none font-semibold tracking-tighter text-primary"
      >
        {props.sign}
      </p>
      <h1 className="mt-6 text-2xl font-semibold tracking-tight md:text-3xl">{props.title}</h1>
      <p className="mx-auto mt-3 max-w-sm text-soft">{props.children}</p>
      <p className="mt-8 flex flex-wrap justify-center gap-3">
        {props.action}
        <Link to="/" className="button-light h-12 px-7">
          Go Home
        </Link>
      </p>
      <div className="mt-12">
        <LegalLinks />
      </div>
    </main>
  );
}
