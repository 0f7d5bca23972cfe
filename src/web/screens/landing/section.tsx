import type { ReactNode } from "react";

/** A section that the navigation bar can link to. */
export function Section(props: {
  id: string;
  title: string;
  lead?: string | undefined;
  className?: string;
  children: ReactNode;
}) {
  return (
    <section id={props.id} aria-labelledby={`${props.id}-title`} className={props.className}>
      <div className="site-width py-20 md:py-32">
        <div className="mb-10 flex flex-col gap-3 md:mb-16 md:flex-row md:items-baseline md:justify-between md:gap-10">
          <h2 id={`${props.id}-title`} className="text-section font-semibold">
            {props.title}
          </h2>
          {props.lead && (
            <p className="max-w-[26rem] text-balance text-muted-foreground md:text-right md:text-lg">
              {props.lead}
            </p>
          )}
        </div>
        {props.children}
      </div>
    </section>
  );
}
